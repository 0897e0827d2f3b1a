/** The text output of `registry list`. */
import { sanitizeForTerminal } from '../../core/errors/sanitize-for-terminal.ts';
import { styled } from '../../io/terminal/style.ts';
import type { Origin, RegistryListDocument, RegistryListEntry } from './list.ts';

/** Returns the list with styles. */
export function registryListText({ registries }: RegistryListDocument): string {
  return registries.flatMap(linesOf).join('');
}

function linesOf(registry: RegistryListEntry): readonly string[] {
  const { name, index, origin, token, error } = registry;
  const mark = registry.default ? ` ${styled('gutter', '(default)')}` : '';
  return [
    `${styled('header', oneLine(name))}${mark}\n`,
    ...(error === null ? [] : [field('error', styled('error', oneLine(error)))]),
    ...(index === null ? [] : [field('index', oneLine(index))]),
    ...(origin === null ? [] : [field('from', originText(origin))]),
    ...(error === null ? [field('token', token === null ? 'none' : originText(token))] : []),
  ];
}

function field(name: string, value: string): string {
  return `  ${styled('emphasis', `${name}:`)} ${value}\n`;
}

function originText({ file, variable, provider }: Origin): string {
  return oneLine(file ?? variable ?? (provider === null ? '--config' : `provider ${provider}`));
}

function oneLine(text: string): string {
  return sanitizeForTerminal(text, 'join');
}
