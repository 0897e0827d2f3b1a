/** A function that receives a text in parts; bytes are UTF-8. A part is valid until this returns. */
export type TextSink = (part: string | Uint8Array) => void;

/** A function that writes a text to `out`. It may be called repeatedly while the source of the text is usable. */
export type TextWriter = (out: TextSink) => void;
