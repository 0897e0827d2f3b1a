import { describe, expect, it } from 'vitest';
import {
  array,
  boolean,
  decodeJson,
  decodeOrNull,
  type Decoder,
  field,
  map,
  object,
  orElse,
  text,
} from '../../../src/core/json/decode.ts';

const point = object({ label: field('name', text), isOpen: field('open', orElse(boolean, false)) });
const points = field('points', array(point));

const decode = <T>(decoder: Decoder<T>, json: string): T =>
  decodeJson(decoder, Buffer.from(json), { subject: 'drawing' });

describe('decoders of parsed JSON', () => {
  it('rename fields, ignore unknown ones, and replace missing values and null', () => {
    expect(
      decode(points, '{"points":[{"name":"a","open":true,"x":1},{"name":"b","open":null}],"x":1}'),
    ).toEqual([
      { label: 'a', isOpen: true },
      { label: 'b', isOpen: false },
    ]);
  });

  it('sort maps by name', () => {
    expect([...decode(map(text), '{"b":"x","a":"y","1":"z"}')]).toEqual([
      ['1', 'z'],
      ['a', 'y'],
      ['b', 'x'],
    ]);
  });

  it.each<[string, string]>([
    ['null', 'the document must be an object'],
    ['{}', '`points` is missing'],
    ['{"points":{}}', '`points` must be a list'],
    ['{"points":[{"name":"a"},null]}', '`points[1]` is missing'],
    ['{"points":[{"name":"a"},[]]}', '`points[1]` must be an object'],
    ['{"points":[{"name":7}]}', '`points[0].name` must be a string'],
    ['{"points":[{"name":"a","open":1}]}', '`points[0].open` must be true or false'],
    ['{"points":[{"name":"\\u0000"}]}', '`points[0].name` has characters that are not allowed'],
  ])('refuse %s', (json, message) => {
    expect(() => decode(points, json)).toThrow(`invalid drawing: ${message}`);
    expect(decodeOrNull(points, JSON.parse(json))).toBeNull();
  });

  it('throw other errors unchanged', () => {
    const failure = new Error('broken');
    const broken: Decoder<never> = () => {
      throw failure;
    };
    expect(() => decode(field('a', broken), '{}')).toThrow(failure);
    expect(() => decodeOrNull(broken, 1)).toThrow(failure);
  });
});
