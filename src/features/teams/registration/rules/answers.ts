import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'
import type { FieldAnswer, FieldResponse, MapReference } from '../../teams/types.ts'
import type { Failure, Player } from '../types.ts'
import type { FailureCode } from './failures.ts'

export const maxTextCharacters = 1_000
const maxNameCharacters = 100

/** An answer in a request. `userGuid` is set if the field is for players. (D49) */
export interface GivenAnswer {
  readonly fieldGuid: string
  readonly userGuid?: string | null
  readonly response: FieldResponse
}

/** A failure and the member it is about; null for the team as a whole. */
export interface Concern {
  readonly userGuid: string | null
  readonly failure: Failure
}

/** A field to be answered by the team, or by one of its members. */
type Subject = Pick<FieldAnswer, 'userGuid'> & { readonly field: AdditionalField }

/**
 * Reads answers. An answer must name a field of the tournament, name the player exactly if the field is for players,
 * fit the field's type, and be given only once. It is private if its field is private now.
 * (rest-interface: Registration additional field answer; D49; additions: Tournament record)
 *
 * @returns the valid answers, with GUIDs in lower case, and what is wrong with the others
 */
export function readAnswers(
  fields: readonly AdditionalField[],
  players: readonly Player[],
  given: readonly GivenAnswer[],
): { readonly answers: readonly FieldAnswer[]; readonly concerns: readonly Concern[] } {
  const answers = new Map<string, FieldAnswer>()
  const concerns: Concern[] = []
  for (const answer of given) {
    const { response } = answer
    const subject = readSubject(fields, players, answer)
    if ('code' in subject) {
      concerns.push({ userGuid: null, failure: subject })
      continue
    }
    const { field, userGuid } = subject
    const failure = answers.has(keyOf(field.guid, userGuid))
      ? fail('field.answered_twice', `Answer ${quoted(field)}${whose(players, userGuid)} only once.`)
      : checkResponse(field, response)
    if (failure !== null) concerns.push({ userGuid, failure })
    answers.set(keyOf(field.guid, userGuid), { fieldGuid: field.guid, userGuid, response, isPrivate: field.private })
  }
  return { answers: [...answers.values()], concerns }
}

/**
 * A required field needs an answer by the team, or by every member. An answer in the request replaces a stored one; an
 * empty text removes the stored one. Stored answers of former members, and those that no longer fit their field, do not
 * count. (rest-interface: Team registration; D49)
 */
export function findUnanswered(
  fields: readonly AdditionalField[],
  players: readonly Player[],
  stored: readonly FieldAnswer[],
  given: readonly FieldAnswer[],
): readonly Subject[] {
  const held = new Map([...stored, ...given].map((answer) => [keyOf(answer.fieldGuid, answer.userGuid), answer]))
  return fields
    .filter((field) => field.required)
    .flatMap((field) => subjectsOf(field, players))
    .filter(({ field, userGuid }) => {
      const response = held.get(keyOf(field.guid, userGuid))?.response ?? ''
      return response === '' || checkResponse(field, response) !== null
    })
}

/** The failure for a required field without an answer. (D32) */
export function unansweredConcern(players: readonly Player[], { field, userGuid }: Subject): Concern {
  const failure = fail('field.unanswered', `Answer ${quoted(field)}${whose(players, userGuid)}.`)
  return { userGuid, failure }
}

function subjectsOf(field: AdditionalField, players: readonly Player[]): Subject[] {
  if (field.subject === 'team') return [{ field, userGuid: null }]
  return players.map(({ userGuid }) => ({ field, userGuid }))
}

function readSubject(
  fields: readonly AdditionalField[],
  players: readonly Player[],
  answer: GivenAnswer,
): Subject | Failure {
  const field = fields.find(({ guid }) => guid === answer.fieldGuid.toLowerCase())
  if (field === undefined) return fail('field.unknown', 'This tournament has no field with this `fieldGuid`.')
  const userGuid = answer.userGuid?.toLowerCase() ?? null
  if (field.subject === 'team') {
    if (userGuid === null) return { field, userGuid }
    return fail('field.wrong_subject', `${quoted(field)} is answered once for the team; leave out \`userGuid\`.`)
  }
  if (userGuid === null) {
    return fail(
      'field.wrong_subject',
      `${quoted(field)} is answered for each player; say whose answer it is in \`userGuid\`.`,
    )
  }
  if (players.some((player) => player.userGuid === userGuid)) return { field, userGuid }
  return fail('field.not_a_member', `${quoted(field)} is answered for somebody who is not in the team.`)
}

/**
 * Checks that an answer fits its field's type. An empty text means no answer and fits every type.
 * (additions: Tournament record; D49)
 */
function checkResponse(field: AdditionalField, response: FieldResponse): Failure | null {
  if (response === '') return null
  switch (field.type) {
    case 'text':
      if (typeof response !== 'string') return fail('field.wrong_type', `${quoted(field)} takes a text.`)
      return Array.from(response).length <= maxTextCharacters
        ? null
        : fail('field.too_long', `${quoted(field)} takes at most ${maxTextCharacters} characters.`)
    case 'number':
      return Number.isFinite(response) ? null : fail('field.wrong_type', `${quoted(field)} takes a number.`)
    case 'boolean':
      return response === 'true' || response === 'false'
        ? null
        : fail('field.wrong_type', `${quoted(field)} takes "true" or "false".`)
    case 'select':
      if (typeof response !== 'string') return fail('field.wrong_type', `${quoted(field)} takes one of its options.`)
      return field.options.includes(response)
        ? null
        : fail('field.option_unknown', `${quoted(field)} takes one of: ${field.options.join(', ')}.`)
    case 'map':
      if (typeof response !== 'object') return fail('field.wrong_type', `${quoted(field)} takes a map.`)
      return isMap(response)
        ? null
        : fail(
            'field.map_invalid',
            `${quoted(field)} takes a map with its hash (40 hexadecimal digits), difficulty and characteristic.`,
          )
  }
}

function isMap({ hash, difficulty, characteristic }: MapReference): boolean {
  const isName = (text: string) => text !== '' && Array.from(text).length <= maxNameCharacters
  return /^[0-9a-f]{40}$/i.test(hash) && isName(difficulty) && isName(characteristic)
}

function keyOf(fieldGuid: string, userGuid: string | null): string {
  return `${fieldGuid}:${userGuid ?? ''}`
}

function quoted(field: AdditionalField): string {
  return `“${field.label}”`
}

function whose(players: readonly Player[], userGuid: string | null): string {
  const player = players.find((candidate) => candidate.userGuid === userGuid)
  return player === undefined ? '' : ` for ${player.name}`
}

function fail(code: FailureCode, message: string): Failure {
  return { code, message }
}
