/** Checks of the proxy and the trusted certificates. Cargo Book: Configuration, `[http]`. */
import { failureText } from '../../io/disk/failure-text.ts';
import type { Config } from '../../io/config/config.ts';
import { describeDefinition } from '../../io/config/definition.ts';
import { httpSettings } from '../../io/config/network-settings.ts';
import { chooseProxy } from '../../io/http/choose-proxy.ts';
import { readTrustedCertificates } from '../../io/http/trusted-certificates.ts';
import { gitProxy } from '../../io/sources/git-proxy.ts';
import { CRATES_IO_SPARSE_INDEX } from '../../core/package-id/crates-io.ts';
import { type Check, check, count } from './check.ts';

/** Checks the proxy for crates.io. Shows it without a login. */
export async function checkProxy(config: Config, signal: AbortSignal): Promise<Check> {
  const { env } = config;
  try {
    const { proxy: configured } = httpSettings(config);
    const fromGit = configured === null ? await gitProxy(config, signal) : null;
    const indexUrl = new URL(CRATES_IO_SPARSE_INDEX.replace('sparse+', ''));
    const proxy = chooseProxy(indexUrl, { configured, fromGit, env });
    if (proxy !== null) {
      const origin = fromGit === null ? proxyOrigin(config) : 'the configuration of git';
      return check('proxy', { status: 'ok', text: `proxy ${proxy.protocol}//${proxy.host}, from ${origin}` });
    }
  } catch (error) {
    signal.throwIfAborted();
    return check('proxy', { status: 'error', text: failureText(error), help: 'correct the proxy setting' });
  }
  if (isSet(env['HTTP_PROXY']) && !isSet(env['http_proxy'])) {
    return check('proxy', {
      status: 'warning',
      text: 'no proxy: `HTTP_PROXY` has no effect',
      help: 'set `HTTPS_PROXY`, or `http_proxy` for addresses without TLS',
    });
  }
  return check('proxy', { status: 'ok', text: 'no proxy' });
}

/** Checks that the trusted certificates can be read. */
export function checkCertificates(config: Config): Check {
  const { env } = config;
  let setting = '`http.cainfo`';
  try {
    const { caFile } = httpSettings(config);
    if (caFile === null) setting = '`SSL_CERT_FILE`';
    const texts = readTrustedCertificates(caFile, env);
    const missing = caFile === null ? missingVariable(config) : null;
    if (missing !== null) return missing;
    if (texts === null) return check('certificates', { status: 'ok', text: 'certificates of Node' });
    const found = texts.join('\n').split('-----BEGIN CERTIFICATE-----').length - 1;
    const origin = caFile ?? (isSet(env['SSL_CERT_FILE']) ? env['SSL_CERT_FILE'] : 'the system');
    const text = `${count(found, 'trusted certificate')} from ${origin}`;
    if (found > 0) return check('certificates', { status: 'ok', subject: caFile, text });
    return check('certificates', {
      status: 'error',
      subject: caFile,
      text,
      help: 'name a file with certificates in PEM form',
    });
  } catch (error) {
    const help = `correct ${setting}, or remove it`;
    return check('certificates', { status: 'error', text: failureText(error), help });
  }
}

/** Returns a warning about a variable for certificates whose file does not exist; null if there is none. */
function missingVariable({ env, files }: Config): Check | null {
  for (const name of ['SSL_CERT_FILE', 'NODE_EXTRA_CA_CERTS']) {
    const path = env[name];
    if (!isSet(path) || files.exists(path)) continue;
    return check('certificates', {
      status: 'warning',
      subject: path,
      text: `\`${name}\` has no effect: ${path} does not exist`,
      help: `correct \`${name}\`, or unset it`,
    });
  }
  return null;
}

/** Returns the origin of the proxy for https, in the order of curl. */
function proxyOrigin(config: Config): string {
  const configured = config.string('http.proxy');
  if (configured !== null) return describeDefinition(configured.definition);
  const names = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'];
  return `\`${names.find((name) => isSet(config.env[name])) ?? 'the environment'}\``;
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value !== '';
}
