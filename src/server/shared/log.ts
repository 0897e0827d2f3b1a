/** The server's log: events with values for the operator. Values never contain secrets. */
export interface Log {
  info(event: string, values?: LogValues): void;
  warning(event: string, values?: LogValues): void;
  error(event: string, values?: LogValues): void;
}

/** The values of an event. */
export type LogValues = Readonly<Record<string, string | number | boolean | null>>;
