import { step, steps } from '../arguments.ts';
import type { Registries, Session } from '../session.ts';

const several = JSON.stringify({
  users: [
    { id: 1, login: 'alice', name: 'Alice A' },
    { id: 2, login: 'bob', name: null, email: null, avatar: null },
    { id: 3, login: 'github:rust-lang:x', email: 'e@x' },
    { id: 4, login: 'd', name: 'D', email: 'd@x' },
    { id: 5, login: 'empty', name: '' },
    { id: 6, login: 'both-empty', name: '', email: '' },
    { id: 7, login: 'größe', name: 'ラスト', kind: 'user', unknown: [1] },
  ],
});

const list = (body: string): Registries => ({ mock: { answers: { 'GET *owners': body } } });

/** The Cargo Book: cargo owner. */
export const ownerSessions: readonly Session[] = [
  {
    name: 'list',
    steps: steps(
      'owner foo --list --registry mock',
      'owner -l foo --registry mock',
      'owner --list foo --registry mock -q',
      'owner --list foo --registry mock -v',
    ),
  },
  {
    name: 'a list of every kind of owner',
    registries: list(several),
    steps: steps('owner foo --list --registry mock', 'owner foo --list --registry mock --color always'),
  },
  { name: 'an empty list', registries: list('{"users":[]}'), steps: steps('owner foo -l --registry mock') },
  { name: 'nothing to do', steps: steps('owner foo --registry mock', 'owner foo', 'owner') },
  {
    name: 'add',
    steps: steps(
      'owner foo --add bob --registry mock',
      'owner foo -a bob -a carol --registry mock',
      'owner foo --add bob --add github:o:t --registry mock',
    ),
  },
  {
    name: 'remove',
    steps: steps(
      'owner foo --remove bob --registry mock',
      "owner foo -r dave -r 'x \"y\" \\z' -r 'ü' --registry mock",
    ),
  },
  { name: 'add and remove', steps: steps('owner foo -a new -r old --registry mock') },
  { name: 'add and list', registries: list(several), steps: steps('owner foo -a x -a y -l --registry mock') },
  {
    name: 'remove and list',
    plainDiffers: 'the list is asked for as a list',
    steps: steps('owner foo -r x -l --registry mock', 'owner foo -a n -r x -l --registry mock'),
  },
  {
    name: 'remove and list where that is all the same',
    plainDiffers: 'the list is asked for as a list',
    registries: { mock: { answers: { 'DELETE *': ['{"ok":true,"msg":"gone"}', several] } } },
    steps: steps('owner foo -r x -l --registry mock'),
  },
  {
    name: 'names that JSON escapes',
    steps: steps("owner foo -a 'a\"b\\c' -a 'tab\there' -a '' -a 'ラ' --registry mock"),
  },
  {
    name: 'a message of several lines',
    registries: { mock: { answers: { 'PUT *': '{"ok":true,"msg":"one\\ntwo\\n\\nthree\\t4"}' } } },
    steps: steps('owner foo -a x --registry mock'),
  },
  {
    name: 'an empty message',
    registries: { mock: { answers: { 'PUT *': '{"ok":true,"msg":""}' } } },
    steps: steps('owner foo -a x --registry mock'),
  },
  {
    name: 'adding fails',
    registries: {
      mock: {
        answers: {
          'PUT *': { status: 400, body: '{"errors":[{"detail":"could not find user with login `x`"}]}' },
        },
      },
    },
    steps: steps('owner foo -a x -r y -l --registry mock'),
  },
  {
    name: 'removing fails',
    registries: { mock: { answers: { 'DELETE *': { status: 403, body: '{"errors":[{"detail":"no"}]}' } } } },
    steps: steps('owner foo -a x -r y -l --registry mock'),
  },
  {
    name: 'listing fails',
    registries: {
      mock: { answers: { 'GET *owners': { status: 404, body: '{"errors":[{"detail":"Not Found"}]}' } } },
    },
    steps: steps('owner foo -l --registry mock'),
  },
  {
    name: 'removing is answered without a message',
    plainDiffers: 'the message is not needed for anything',
    registries: { mock: { answers: { 'DELETE *': '{"ok":true}' } } },
    steps: steps('owner foo -r x --registry mock'),
  },
  {
    name: 'the package here',
    files: {
      'Cargo.toml': '[package]\nname = "here"\nversion = "0.3.0"\nedition = "2021"\n',
      'src/lib.rs': '',
    },
    steps: steps('owner --list --registry mock', 'owner -a x --registry mock'),
  },
  {
    name: 'a workspace of which something is to be said',
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["member"]\n',
      'member/Cargo.toml': '[package]\nname = "member"\nversion = "0.3.0"\nedition = "2021"\n',
      'member/src/lib.rs': '',
    },
    steps: [
      ...steps('owner --list --registry mock', 'yank --version 0.3.0 --registry mock'),
      step('owner --list --registry mock', { cwd: 'member' }),
      step('yank --version 0.3.0 --registry mock', { cwd: 'member' }),
    ],
  },
  { name: 'no package here', steps: steps('owner --list --registry mock') },
  {
    name: 'wrong ids',
    registries: {
      mock: {
        answers: {
          'GET *owners': [
            '{"users":[{"id":-1,"login":"a"}]}',
            '{"users":[{"id":4294967296,"login":"a"}]}',
            '{"users":[{"id":1.5,"login":"a"}]}',
            '{"users":[{"id":"1","login":"a"}]}',
            '{"users":[{"login":"a"}]}',
            '{"users":[{"id":1}]}',
            '{"users":[{"id":1,"login":null}]}',
            '{"users":[{"id":1,"login":"a","name":5}]}',
            '{"users":{}}',
            '{"users":null}',
            '{}',
            '[]',
            '[[[1,"a",null,null,null]]]',
            '{"users":[[1,"a",null,null,"N"]]}',
            '{"users":[{"id":1,"id":2,"login":"a"}]}',
          ],
        },
      },
    },
    steps: steps(...Array.from({ length: 15 }, () => 'owner foo -l --registry mock')),
  },
  {
    name: 'a token',
    steps: steps(
      'owner foo -l --registry mock --token other',
      'owner foo -l --index sparse+$S/mock/index/',
      'owner foo -l --index sparse+$S/mock/index/ --token other',
    ),
  },
  {
    name: 'flags that are none',
    steps: [
      ...steps('owner --lst foo', 'owner foo -a', 'owner foo -x'),
      step('owner foo -l --registry mock', { cwd: '.' }),
    ],
  },
];
