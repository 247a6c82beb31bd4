import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { PushSchema } from '../generated/pushes_pb.ts'
import type { Told } from '../messages.ts'
import { MalformedPacket, pushOf } from './decode.ts'

/** What an assistant's webhooks tell: the same messages as over a connection, as JSON. (AS26) */

/** By the name of the hook, in any case of letters. */
const members = {
  songfinished: 'songFinished',
  qualifierscoresubmitted: 'qualifierScoreSubmtited',
  // As the wire spells it.
  qualifierscoresubmtited: 'qualifierScoreSubmtited',
} as const

/**
 * Names of members may come in camel case, with underscores, or beginning with a capital. What a newer server adds is ignored.
 * @param data of the kind's name and its message
 * @returns null for a kind that is nothing to us
 * @throws MalformedPacket
 */
export function readHook(data: unknown, tournament: string): Told | null {
  if (!isObject(data)) return null
  for (const [name, message] of Object.entries(data)) {
    const plain = name.replaceAll('_', '').toLowerCase()
    if (!Object.hasOwn(members, plain)) continue
    return pushOf(read({ [members[plain as keyof typeof members]]: renamed(message, 0) }), tournament)
  }
  return null
}

function read(json: JsonObject) {
  try {
    return fromJson(PushSchema, json, { ignoreUnknownFields: true })
  } catch {
    // The parser's own error quotes what came.
    throw new MalformedPacket('no message of an assistant')
  }
}

const deepest = 20

function renamed(value: JsonValue, depth: number): JsonValue {
  if (depth > deepest) throw new MalformedPacket('too deep')
  if (Array.isArray(value)) return value.map((each) => renamed(each, depth + 1))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name.replace(/^[A-Z]/, (first) => first.toLowerCase()),
      renamed(each, depth + 1),
    ]),
  )
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
