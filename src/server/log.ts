/** Takes what is worth telling whoever runs the server, as an event with values. Never secrets. */
export interface Log {
  info(event: string, values?: LogValues): void;
  warning(event: string, values?: LogValues): void;
  error(event: string, values?: LogValues): void;
}

/** What belongs to an event. */
export type LogValues = Readonly<Record<string, string | number | boolean | null>>;
