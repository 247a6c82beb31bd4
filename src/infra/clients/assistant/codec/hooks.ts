import { fromJson, type JsonObject, type JsonValue } from '@bufbuild/protobuf'
import { PushSchema } from '../generated/pushes_pb.ts'
import type { Told } from '../messages.ts'
import { MalformedPacket, pushOf } from './decode.ts'

/** The messages of an assistant's webhooks: the same as on a connection, as JSON. (AS26) */

/** The names of the hooks in lower case. */
const members = {
  songfinished: 'songFinished',
  qualifierscoresubmitted: 'qualifierScoreSubmtited',
  // Spelt as on the wire.
  qualifierscoresubmtited: 'qualifierScoreSubmtited',
} as const

/**
 * Names of members may be in camel case, with underscores, or with a capital first letter. Additions of newer servers
 * are ignored.
 * @param data an object with the kind's name and its message
 * @returns null for a kind that we do not use
 * @throws MalformedPacket
 */
export function readHook(data: unknown, tournament: string): Told | null {
  if (!isObject(data)) return null
  for (const [name, message] of Object.entries(data)) {
    const plain = name.replaceAll('_', '').toLowerCase()
    if (!Object.hasOwn(members, plain)) continue
    const read = renamed(message, 0)
    if (!isObject(read)) throw new MalformedPacket('no message of an assistant')
    // The tournament may also be given outside of the message.
    const whole = 'tournamentId' in read || 'tournament_id' in read ? read : { ...read, tournamentId: tournament }
    return pushOf(parse({ [members[plain as keyof typeof members]]: withKnownEnd(whole) }), tournament)
  }
  return null
}

function parse(json: JsonObject) {
  try {
    return fromJson(PushSchema, json, { ignoreUnknownFields: true })
  } catch {
    // The parser's own error would quote the input.
    throw new MalformedPacket('no message of an assistant')
  }
}

const ends = ['Passed', 'Failed', 'Quit']

/** Checks the kind of end, because the parser ignores an unknown name and would use the first kind. */
function withKnownEnd(message: JsonObject): JsonObject {
  const { type } = message
  if (typeof type !== 'string') return message
  if (/^\d+$/.test(type)) return { ...message, type: Number(type) }
  const known = ends.find((end) => end.toLowerCase() === type.toLowerCase())
  if (known === undefined) throw new MalformedPacket('an end that is not known')
  return { ...message, type: known }
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
