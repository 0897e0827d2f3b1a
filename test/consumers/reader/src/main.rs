//! `reader KIND MANIFEST`: prints a workspace as the package KIND reads it from `cargo metadata`.
use std::error::Error;
use std::path::Path;

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let (Some(kind), Some(manifest)) = (args.next(), args.next()) else {
        return Err("usage: reader KIND MANIFEST".into());
    };
    let mut lines = match kind.as_str() {
        "cargo_metadata" => with_cargo_metadata(&manifest)?,
        "guppy" => with_guppy(&manifest)?,
        "krates" => with_krates(&manifest)?,
        _ => return Err(format!("no such reader: {kind}").into()),
    };
    lines.sort();
    println!("{}", lines.join("\n"));
    Ok(())
}

fn with_cargo_metadata(manifest: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let metadata = cargo_metadata::MetadataCommand::new()
        .manifest_path(manifest)
        .features(cargo_metadata::CargoOpt::AllFeatures)
        .exec()?;
    Ok(vec![serde_json::to_string_pretty(&metadata)?])
}

fn with_guppy(manifest: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut command = guppy::MetadataCommand::new();
    command.manifest_path(Path::new(manifest));
    let graph = command.build_graph()?;
    graph.verify()?;
    let mut lines = Vec::new();
    for id in graph.package_ids() {
        let package = graph.metadata(id)?;
        lines.push(format!("{id} {} {:?}", package.name(), package.source()));
        for link in package.direct_links() {
            lines.push(format!("{id} {} {}", link.resolved_name(), link.to().id()));
        }
    }
    Ok(lines)
}

fn with_krates(manifest: &str) -> Result<Vec<String>, Box<dyn Error>> {
    let mut command = krates::Cmd::new();
    command.manifest_path(manifest).all_features();
    let graph: krates::Krates = krates::Builder::new().build(command, |_: krates::cm::Package| {})?;
    let mut lines = Vec::new();
    for krate in graph.krates() {
        lines.push(format!("{} {} {}", krate.id, krate.name, krate.version));
        let node = graph.nid_for_kid(&krates::Kid::from(krate.id.clone()));
        for next in node.into_iter().flat_map(|node| graph.direct_dependents(node)) {
            lines.push(format!("{} <- {}", krate.id, next.krate.id));
        }
    }
    Ok(lines)
}
