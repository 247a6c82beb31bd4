import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { type DescEnum, type DescField, type DescFile, type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { expect, test } from 'vitest'
import { file_commands } from './generated/commands_pb.ts'
import { file_discord } from './generated/discord_pb.ts'
import { file_events } from './generated/events_pb.ts'
import { file_models } from './generated/models_pb.ts'
import { file_packets } from './generated/packets_pb.ts'
import { file_pushes } from './generated/pushes_pb.ts'
import { file_replay_stream } from './generated/replay_stream_pb.ts'
import { file_requests } from './generated/requests_pb.ts'
import { file_responses } from './generated/responses_pb.ts'

/** The document of the wire format, the proto files written from it, and the code generated from these agree. (AS32) */

const root = path.join(import.meta.dirname, '../../../..')
const files: Readonly<Record<string, DescFile>> = {
  commands: file_commands,
  discord: file_discord,
  events: file_events,
  models: file_models,
  packets: file_packets,
  pushes: file_pushes,
  replay_stream: file_replay_stream,
  requests: file_requests,
  responses: file_responses,
}

type Described = Readonly<Record<string, readonly string[]>>

/** The messages and enumerations in the document, each with its fields or values. */
async function documented(): Promise<Described> {
  const text = await readFile(path.join(root, 'docs/assistant/wire.md'), 'utf8')
  const [, messages = ''] = text.split(/^## Messages$/m)
  const found: Record<string, string[]> = {}
  for (const [, kind, name, content] of messages.matchAll(/^- (enum )?\*\*([\w.]+)\*\*: (.*)$/gm)) {
    const parts = content === 'nothing' ? [] : (content ?? '').split(kind === undefined ? '; ' : ', ')
    const key = `${kind ?? ''}${name}`
    expect(found, 'names stand once').not.toHaveProperty([key])
    found[key] = parts.map((part) => part.replaceAll('`', '')).sort()
  }
  return found
}

function generated(): Described {
  const found: Record<string, string[]> = {}
  const addEnum = ({ typeName, values }: DescEnum) => {
    found[`enum ${plain(typeName)}`] = values.map(({ name, number }) => `${name} = ${number}`).sort()
  }
  const addMessage = (message: DescMessage) => {
    found[plain(message.typeName)] = message.fields.map(fieldText).sort()
    message.nestedMessages.forEach(addMessage)
    message.nestedEnums.forEach(addEnum)
  }
  for (const file of Object.values(files)) {
    file.messages.forEach(addMessage)
    file.enums.forEach(addEnum)
  }
  return found
}

function fieldText(field: DescField): string {
  const list = field.fieldKind === 'list' ? '[]' : ''
  const oneof = field.oneof === undefined ? '' : ` in ${field.oneof.name}`
  return `${field.number} ${field.name} ${typeText(field)}${list}${oneof}`
}

function typeText({ message, enum: enumeration, scalar }: DescField): string {
  if (message !== undefined) return plain(message.typeName)
  if (enumeration !== undefined) return plain(enumeration.typeName)
  return String(scalar === undefined ? 'map' : ScalarType[scalar]).toLowerCase()
}

const plain = (typeName: string) => typeName.replace(/^proto\./, '')

test('the generated code has every message, number, type and value of the document, and no other', async () => {
  const document = await documented()
  const code = generated()
  // The same numbers as in the client's own registry of types.
  const [enums, messages] = [true, false].map((isEnum) =>
    Object.keys(document).filter((name) => name.startsWith('enum ') === isEnum),
  )
  expect(enums).toHaveLength(18)
  expect(messages).toHaveLength(169)
  expect(code).toEqual(document)
})

test('repeated numbers are packed, and no field tells whether it was sent', () => {
  const fields = Object.values(files)
    .flatMap(({ messages }) => messages)
    .flatMap((message) => [message, ...message.nestedMessages])
    .flatMap((message) => message.fields)
  const numbers = fields.filter((field) => field.fieldKind === 'list' && field.listKind !== 'message')
  expect(
    numbers.filter((field) => 'packed' in field && !field.packed && field.scalar !== ScalarType.STRING).map(fieldText),
  ).toEqual([])
  expect(fields.filter(({ proto }) => proto.proto3Optional).map(fieldText)).toEqual([])
})

test('all permissions that are needed or wished for stand in the document', async () => {
  const text = await readFile(path.join(root, 'docs/assistant/wire.md'), 'utf8')
  const permissions = [...text.matchAll(/`(tournament:[\w:]+)`/g)].map(([, name]) => name)
  expect(new Set(permissions).size).toBe(permissions.length)
  expect(permissions).toEqual(
    expect.arrayContaining(
      [
        ...['join', 'match:create_match', 'match:add_user_to_match', 'match:set_match_leader', 'match:set_match_map'],
        ...['match:delete_match', 'match:remove_user_from_match', 'player:load_song', 'player:play_song'],
        ...['player:return_to_menu', 'player:show_prompt', 'player:play_with_stream_sync', 'player:modify_gameplay'],
        ...['qualifier:get_qualifier_scores', 'qualifier:see_hidden_qualifier_scores', 'qualifier:refund_attempts'],
      ].map((name) => `tournament:${name}`),
    ),
  )
})

test('the generated code is what the generator makes of the files', async () => {
  const out = await mkdtemp(path.join(tmpdir(), 'wire-'))
  const bin = path.join(root, 'node_modules/.bin')
  try {
    await promisify(execFile)(path.join(bin, 'buf'), ['generate', 'proto', '--output', out], {
      cwd: import.meta.dirname,
      env: { PATH: `${bin}${path.delimiter}${process.env.PATH}`, HOME: out, BUF_CACHE_DIR: out },
    })
    const made = await contents(path.join(out, 'generated'))
    expect(Object.keys(made)).toHaveLength(Object.keys(files).length)
    expect(made).toEqual(await contents(path.join(import.meta.dirname, 'generated')))
  } finally {
    await rm(out, { recursive: true, force: true })
  }
})

test('only the codec knows the wire, and is loaded with the first connection', async () => {
  const source = path.join(root, 'src')
  const names = (await readdir(source, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name))
  const texts = await Promise.all(names.map((name) => readFile(path.join(source, name), 'utf8')))
  const importing = (what: RegExp) =>
    names.filter((name, index) => what.test(texts[index] ?? '') && !name.includes('clients/assistant/generated/'))
  const ofWire = importing(/^(import|export).* from '(@bufbuild\/|.*generated\/\w+_pb\.ts)/m)
  expect(ofWire.length).toBeGreaterThan(2)
  expect(ofWire.filter((name) => !name.startsWith('infra/clients/assistant/codec/'))).toEqual([])
  const atOnce = importing(/^(import|export).* from '.*\/codec\/\w+\.ts'/m)
  expect(atOnce).toEqual([])
})

async function contents(folder: string): Promise<Readonly<Record<string, string>>> {
  const names = await readdir(folder)
  const texts = await Promise.all(names.map((name) => readFile(path.join(folder, name), 'utf8')))
  return Object.fromEntries(names.map((name, index) => [name, texts[index] ?? '']))
}
