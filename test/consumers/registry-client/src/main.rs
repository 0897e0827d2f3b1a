//! Calls every method of `crates_io_api` that reads. Fails at the first response that the client does not understand.
//! Arguments: the address of a registry with the name `crates.io`, and the file with its certificate.
use crates_io_api::{AsyncClient, CratesQuery, Error, Sort};
use std::time::Duration;

type Failure = Box<dyn std::error::Error>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut arguments = std::env::args().skip(1);
    let address = arguments.next().ok_or("no address")?;
    let certificate = std::fs::read(arguments.next().ok_or("no certificate")?)?;
    let http = reqwest::Client::builder()
        .user_agent("registry-client")
        .add_root_certificate(reqwest::Certificate::from_pem(&certificate)?)
        .resolve("crates.io", address.parse()?)
        .build()?;
    let client = AsyncClient::with_http_client(http, Duration::ZERO);

    let summary = client.summary().await?;
    assert_eq!(summary.num_crates as usize, summary.new_crates.len());
    for sort in [
        Sort::Downloads,
        Sort::RecentDownloads,
        Sort::RecentUpdates,
        Sort::NewlyAdded,
        Sort::Relevance,
    ] {
        client
            .crates(CratesQuery::builder().sort(sort).search("a").build())
            .await?;
    }
    let all = CratesQuery::builder()
        .sort(Sort::Alphabetical)
        .page_size(50)
        .build();
    let page = client.crates(all).await?;
    assert_eq!(page.meta.total, summary.num_crates);
    let mut category = None;
    for listed in &page.crates {
        let found = read_crate(&client, &listed.name).await?;
        category = category.or(found);
    }
    let of_category = CratesQuery::builder()
        .category(category.ok_or("no category")?)
        .build();
    assert!(!client.crates(of_category).await?.crates.is_empty());
    match client.get_crate("nothing-here").await {
        Err(Error::NotFound(_)) => {}
        other => return Err(format!("a missing crate: {other:?}").into()),
    }
    println!("{} crates", page.crates.len());
    Ok(())
}

/// Reads everything about a crate. Returns one of its categories.
async fn read_crate(client: &AsyncClient, name: &str) -> Result<Option<String>, Failure> {
    let found = client.get_crate(name).await?;
    let full = client.full_crate(name, true).await?;
    assert_eq!(full.versions.len(), found.versions.len());
    client.crate_downloads(name).await?;
    assert!(!client.crate_owners(name).await?.is_empty());
    client.crate_reverse_dependencies(name).await?;
    for version in &found.versions {
        client.crate_dependencies(name, &version.num).await?;
        client.crate_authors(name, &version.num).await?;
        let publisher = version.published_by.as_ref().ok_or("no publisher")?;
        assert_eq!(client.user(&publisher.login).await?.login, publisher.login);
    }
    Ok(found.categories.first().map(|category| category.id.clone()))
}
