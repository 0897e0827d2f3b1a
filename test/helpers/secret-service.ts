import net, { type Socket } from 'node:net';
import { decodeMessage } from '../../src/io/credentials/dbus/message.ts';
import { type DBusValue, encodeValues } from '../../src/io/credentials/dbus/values.ts';

/** A secret in the service. */
export interface HeldSecret {
  readonly label: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly value: string;
}

/** Deviations from the normal behaviour. */
export interface SecretServiceOptions {
  /** Items are locked until the user answers a prompt. */
  readonly isLocked?: boolean;
  /** The user dismisses every prompt. */
  readonly dismisses?: boolean;
  /** The collection does not exist yet. */
  readonly isNew?: boolean;
  /** The response of the bus to a greeting. */
  readonly greeting?: string;
  /** The error that every call returns. */
  readonly error?: string;
}

/** A session bus with a secret service that implements what tokens need. */
export interface SecretServiceMock extends AsyncDisposable {
  /** The value of DBUS_SESSION_BUS_ADDRESS. */
  readonly address: string;
  readonly secrets: HeldSecret[];
  /** The called methods, in order. */
  readonly calls: string[];
}

const NAMES = 'org.freedesktop.Secret';
const PROMPT = '/org/freedesktop/secrets/prompt/p1';
const COLLECTION = '/org/freedesktop/secrets/collection/login';

function textOf(value: DBusValue | undefined): string {
  return typeof value === 'string' ? value : '';
}

/** Starts a service that listens at the path `socket`. */
export async function startSecretService(
  socket: string,
  options: SecretServiceOptions = {},
): Promise<SecretServiceMock> {
  const secrets: HeldSecret[] = [];
  const calls: string[] = [];
  let isLocked = options.isLocked === true;
  let isNew = options.isNew === true;
  let unlocks: readonly string[] = [];
  const itemPath = (at: number): string => `${COLLECTION}/${at}`;
  const paths = (value: DBusValue | undefined): readonly string[] =>
    Array.isArray(value) ? value.map(String) : [];

  const answer = (
    member: string,
    path: string,
    body: readonly DBusValue[],
  ): readonly [string, DBusValue[]] => {
    const at = Number(path.split('/').pop());
    switch (member) {
      case 'Hello':
        return ['s', [':1.7']];
      case 'OpenSession':
        return ['vo', [{ signature: 's', value: '' }, '/org/freedesktop/secrets/session/s1']];
      case 'SearchItems': {
        const wanted = paths(body[0]).map((pair) => pair.split(','));
        const found = secrets.flatMap(({ attributes }, index) =>
          wanted.every(([name = '', value]) => attributes[name] === value) ? [itemPath(index)] : [],
        );
        return ['aoao', isLocked ? [[], found] : [found, []]];
      }
      case 'Unlock':
        if (!isLocked) return ['aoo', [paths(body[0]), '/']];
        unlocks = paths(body[0]);
        return ['aoo', [[], PROMPT]];
      case 'ReadAlias':
        return ['o', [isNew ? '/' : COLLECTION]];
      case 'CreateCollection':
        return ['oo', ['/', PROMPT]];
      case 'GetSecret': {
        const value = Buffer.from(secrets[at]?.value ?? '');
        return ['(oayays)', [[textOf(body[0]), new Uint8Array(), new Uint8Array(value), 'text/plain']]];
      }
      case 'CreateItem': {
        const [properties, secret] = body;
        const variant = (name: string): DBusValue => {
          const list: readonly DBusValue[] = Array.isArray(properties) ? properties : [];
          const pair = list.find((each) => Array.isArray(each) && each[0] === `${NAMES}.Item.${name}`);
          const found: DBusValue | undefined = Array.isArray(pair) ? pair[1] : undefined;
          return typeof found === 'object' && 'signature' in found ? found.value : '';
        };
        const pairs = variant('Attributes');
        const bytes: DBusValue | undefined = Array.isArray(secret) ? secret[2] : undefined;
        const attributes = Object.fromEntries(
          (Array.isArray(pairs) ? pairs : []).map((pair): [string, string] =>
            Array.isArray(pair) ? [textOf(pair[0]), textOf(pair[1])] : ['', ''],
          ),
        );
        const value = bytes instanceof Uint8Array ? Buffer.from(bytes).toString() : '';
        const same = secrets.findIndex(
          (each) => JSON.stringify(each.attributes) === JSON.stringify(attributes),
        );
        const held = { label: textOf(variant('Label')), attributes, value };
        if (same === -1) secrets.push(held);
        else secrets[same] = held;
        return ['oo', [itemPath(0), '/']];
      }
      case 'Delete':
        secrets.splice(at, 1);
        return ['o', ['/']];
      default:
        return ['', []];
    }
  };

  const serve = (connection: Socket): void => {
    let received = Buffer.alloc(0);
    let isGreeted = false;
    let serial = 0;
    const send = (fields: DBusValue[], kind: number, signature: string, body: readonly DBusValue[]): void => {
      serial += 1;
      const bytes = encodeValues(signature, body);
      const all = signature === '' ? fields : [...fields, [8, { signature: 'g', value: signature }]];
      const header = encodeValues('yyyyuua(yv)', [0x6c, kind, 1, 1, bytes.length, serial, all]);
      const padding = Buffer.alloc((8 - (header.length % 8)) % 8);
      connection.write(Buffer.concat([header, padding, bytes]));
    };
    connection.on('error', () => {});
    connection.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      if (!isGreeted) {
        const end = received.indexOf('BEGIN\r\n');
        if (end === -1) {
          if (received.includes('\r\n')) connection.write(options.greeting ?? 'OK 0123456789abcdef\r\n');
          return;
        }
        isGreeted = true;
        received = received.subarray(end + 'BEGIN\r\n'.length);
      }
      for (let next = decodeMessage(received); next !== null; next = decodeMessage(received)) {
        const call = received.readUInt32LE(8);
        received = received.subarray(next.length);
        const { member, path, body } = next.message;
        calls.push(member);
        const reply: DBusValue = [5, { signature: 'u', value: call }];
        if (options.error !== undefined && member !== 'Hello') {
          const name: DBusValue = [4, { signature: 's', value: 'org.freedesktop.DBus.Error.Failed' }];
          send([reply, name], 3, 's', [options.error]);
          continue;
        }
        send([reply], 2, ...answer(member, path, body));
        if (member !== 'Prompt') continue;
        const isDismissed = options.dismisses === true;
        const result: DBusValue = isNew
          ? { signature: 'o', value: COLLECTION }
          : { signature: 'ao', value: unlocks };
        if (!isDismissed) [isLocked, isNew] = [false, false];
        const fields: DBusValue[] = [
          [1, { signature: 'o', value: path }],
          [2, { signature: 's', value: `${NAMES}.Prompt` }],
          [3, { signature: 's', value: 'Completed' }],
        ];
        send(fields, 4, 'bv', [isDismissed, result]);
      }
    });
  };

  const connections = new Set<Socket>();
  const server = net.createServer((connection) => {
    connections.add(connection);
    serve(connection);
  });
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  return {
    address: `unix:path=${socket}`,
    secrets,
    calls,
    async [Symbol.asyncDispose]() {
      for (const connection of connections) connection.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
