/** Takes a text part by part, of which bytes are UTF-8. A part is good until this returns. */
export type TextSink = (part: string | Uint8Array) => void;

/** A text, which is given whenever that is asked for, as long as what it was read from may be used. */
export type WrittenText = (out: TextSink) => void;
