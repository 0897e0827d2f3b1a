/** A connection to the session bus. D-Bus Specification, "Authentication Protocol", "Message Bus Specification". */
import { connect, type Socket } from 'node:net';
import { osErrorText } from '../../disk/errno.ts';
import { TsregError } from '../../../core/errors/error.ts';
import { type DBusCall, type DBusMessage, decodeMessage, encodeCall } from './message.ts';
import type { DBusValue } from './values.ts';

/** Time limit of a response: the default of libdbus. Prompts have none. */
const TIMEOUT_MS = 25_000;
/** More than the longest greeting, which is one line. */
const MAX_GREETING_BYTES = 4096;

/** The functions that settle a promise for a message. */
interface Waiter {
  readonly resolve: (body: readonly DBusValue[]) => void;
  readonly reject: (error: unknown) => void;
}

/** The identification of a signal. */
export interface SignalName {
  readonly path: string;
  readonly interface: string;
  readonly member: string;
}

/** A connection that calls methods and receives signals. The caller must close it. */
export class BusConnection {
  readonly #socket: Socket;
  /** Calls without a response, by serial. */
  readonly #calls = new Map<number, Waiter>();
  /** Signals that `signalAfter` has subscribed to. */
  readonly #signals: { readonly name: SignalName; readonly waiter: Waiter }[] = [];
  /** Received bytes that are not a complete message yet. */
  #received = Buffer.alloc(0);
  /** Serial of the last call. */
  #serial = 0;
  /** The first failure, after which every call rejects; null while the connection works. */
  #failure: TsregError | null = null;

  /** `received` are the bytes after the greeting. The connection fails when `signal` is aborted. */
  private constructor(socket: Socket, received: Buffer, signal: AbortSignal) {
    this.#socket = socket;
    socket.on('data', (bytes) => this.#receive(bytes));
    socket.on('error', (error) => this.#fail(busError(osErrorText(error))));
    socket.on('close', () => this.#fail(busError('the connection was closed')));
    signal.addEventListener('abort', () => this.#fail(signal.reason), { once: true });
    this.#receive(received);
  }

  /** Connects to the first of `sockets` that responds. Rejects with the error of the last one. */
  static async open(sockets: readonly string[], signal: AbortSignal): Promise<BusConnection> {
    let failure: unknown = busError('there is no session bus: DBUS_SESSION_BUS_ADDRESS is not set');
    for (const path of sockets) {
      signal.throwIfAborted();
      const socket = connect(path);
      try {
        const received = await authenticate(socket, signal);
        const connection = new BusConnection(socket, received, signal);
        await connection.call({ ...BUS, member: 'Hello', signature: '', body: [] });
        return connection;
      } catch (error) {
        socket.destroy();
        failure = error;
      }
    }
    throw failure;
  }

  /**
   * Returns the body of the response. Rejects with the message of an error response. After `TIMEOUT_MS` without a
   * response, the whole connection fails.
   */
  async call(call: DBusCall): Promise<readonly DBusValue[]> {
    if (this.#failure !== null) throw this.#failure;
    this.#serial += 1;
    const serial = this.#serial;
    return await new Promise((resolve, reject) => {
      const timeout = setTimeout(() => this.#fail(busError('no response in time')), TIMEOUT_MS);
      const forget = (): void => {
        clearTimeout(timeout);
        this.#calls.delete(serial);
      };
      this.#calls.set(serial, {
        resolve: (body) => {
          forget();
          resolve(body);
        },
        reject: (error) => {
          forget();
          reject(error);
        },
      });
      this.#socket.write(encodeCall(call, serial));
    });
  }

  /** Subscribes to a signal, runs `cause`, and waits for the signal without a time limit. Resolves with its body. */
  async signalAfter(name: SignalName, cause: () => Promise<unknown>): Promise<readonly DBusValue[]> {
    const rule = `type='signal',path='${name.path}',interface='${name.interface}',member='${name.member}'`;
    await this.call({ ...BUS, member: 'AddMatch', signature: 's', body: [rule] });
    const received = new Promise<readonly DBusValue[]>((resolve, reject) => {
      this.#signals.push({ name, waiter: { resolve, reject } });
    });
    // It is awaited later: until then, Node would report a rejection as unhandled.
    received.catch(() => {});
    await cause();
    return await received;
  }

  /** Closes the connection. Pending calls reject. */
  close(): void {
    this.#socket.destroy();
  }

  /** Handles all complete messages in the received bytes. An invalid one fails the connection. */
  #receive(bytes: Buffer): void {
    this.#received = Buffer.concat([this.#received, bytes]);
    try {
      for (let next = decodeMessage(this.#received); next !== null; next = decodeMessage(this.#received)) {
        this.#received = this.#received.subarray(next.length);
        this.#handle(next.message);
      }
    } catch (error) {
      this.#fail(error);
    }
  }

  /** Settles the promises that wait for `message`. */
  #handle(message: DBusMessage): void {
    const call = this.#calls.get(message.replySerial);
    if (message.kind === 'return') call?.resolve(message.body);
    if (message.kind === 'error') {
      const [text] = message.body;
      call?.reject(busError(typeof text === 'string' && text !== '' ? text : message.errorName));
    }
    if (message.kind !== 'signal') return;
    for (const { name, waiter } of this.#signals) {
      const isExpected =
        name.path === message.path && name.interface === message.interface && name.member === message.member;
      if (isExpected) waiter.resolve(message.body);
    }
  }

  /** Closes the connection, and rejects everything that waits. */
  #fail(reason: unknown): void {
    this.#failure ??= reason instanceof TsregError ? reason : busError(String(reason));
    this.#socket.destroy();
    for (const { reject } of this.#calls.values()) reject(reason);
    for (const { waiter } of this.#signals) waiter.reject(reason);
  }
}

/** The bus itself as the destination of a call. */
const BUS = {
  destination: 'org.freedesktop.DBus',
  path: '/org/freedesktop/DBus',
  interface: 'org.freedesktop.DBus',
} as const;

/**
 * Authenticates as the current user: a NUL byte, the number of the user in hexadecimal, and lines that end with CR LF.
 * Resolves with the bytes after the greeting.
 */
async function authenticate(socket: Socket, signal: AbortSignal): Promise<Buffer> {
  const user = Buffer.from(String(process.getuid?.() ?? 0)).toString('hex');
  return await new Promise((resolve, reject) => {
    let received = Buffer.alloc(0);
    const stop = (): void => fail('interrupted');
    signal.addEventListener('abort', stop, { once: true });
    const stopListening = (): void => {
      clearTimeout(timeout);
      signal.removeEventListener('abort', stop);
      socket.removeAllListeners();
    };
    const fail = (reason: string): void => {
      stopListening();
      reject(busError(reason));
    };
    const timeout = setTimeout(() => fail('no response in time'), TIMEOUT_MS);
    socket.once('error', (error) => fail(`Could not connect: ${withoutNumber(osErrorText(error))}`));
    socket.once('close', () => fail('the connection was closed'));
    socket.once('connect', () => socket.write(`\0AUTH EXTERNAL ${user}\r\n`));
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      const end = received.indexOf('\r\n');
      if (end === -1 && received.length < MAX_GREETING_BYTES) return;
      if (!received.subarray(0, 3).equals(Buffer.from('OK '))) return fail('the bus does not let us in');
      socket.write('BEGIN\r\n');
      stopListening();
      resolve(received.subarray(end + 2));
    });
  });
}

/** Removes the number that `osErrorText` appends: the library that cargo uses for D-Bus omits it. */
function withoutNumber(text: string): string {
  return text.replace(/ \(os error \d+\)$/, '');
}

function busError(reason: string): TsregError {
  return new TsregError(reason, { code: 'auth' });
}
