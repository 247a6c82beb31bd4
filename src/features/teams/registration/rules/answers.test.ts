import { describe, expect, test } from 'vitest'
import type { AdditionalField } from '../../../tournaments/tournaments/types.ts'
import type { FieldAnswer, FieldResponse } from '../../teams/types.ts'
import type { Player } from '../types.ts'
import { findUnanswered, type GivenAnswer, readAnswers, unansweredConcern } from './answers.ts'

const guid = (last: number) => `aaaaaaaa-0000-4000-8000-${String(last).padStart(12, '0')}`
const player = (userGuid: string, name: string): Player => ({
  userGuid,
  name,
  chatPlatformId: '1',
  isGone: false,
  isPlaceholder: false,
  emailVerified: false,
  country: null,
  links: [],
})
const quaver = player(guid(901), 'Quaver')
const minim = player(guid(902), 'Minim')
const players = [quaver, minim]

const field = (number: number, more: Partial<AdditionalField>): AdditionalField => ({
  guid: guid(number),
  label: `Field ${number}`,
  help: null,
  type: 'text',
  required: false,
  options: [],
  subject: 'team',
  private: false,
  ...more,
})
const motto = field(1, { type: 'text' })
const seats = field(2, { type: 'number' })
const region = field(3, { type: 'select', options: ['Europe', 'Asia'] })
const favourite = field(4, { type: 'map' })
const agrees = field(5, { type: 'boolean' })
const shirt = field(6, { type: 'select', options: ['S', 'M'], subject: 'player' })
const fields = [motto, seats, region, favourite, agrees, shirt]

const map = { hash: '0123456789abcdefABCDEF0123456789abcdef01', difficulty: 'ExpertPlus', characteristic: 'Standard' }

describe('an answer fits the type of its field', () => {
  const rows: [string, AdditionalField, FieldResponse, string | null][] = [
    ['a text', motto, 'Allegro', null],
    ['a text of 1000 characters', motto, '𝄞'.repeat(1_000), null],
    ['a longer text', motto, 'x'.repeat(1_001), 'field.too_long'],
    ['a number for a text', motto, 4, 'field.wrong_type'],
    ['a map for a text', motto, map, 'field.wrong_type'],
    ['a number', seats, -2.5, null],
    ['zero', seats, 0, null],
    ['a number as text', seats, '2', 'field.wrong_type'],
    ['no finite number', seats, Number.POSITIVE_INFINITY, 'field.wrong_type'],
    ['an option', region, 'Asia', null],
    ['an option in another case', region, 'asia', 'field.option_unknown'],
    ['no option', region, 'Atlantis', 'field.option_unknown'],
    ['a number for an option', region, 1, 'field.wrong_type'],
    ['true as text', agrees, 'true', null],
    ['false as text', agrees, 'false', null],
    ['another word', agrees, 'yes', 'field.wrong_type'],
    ['a number for a boolean', agrees, 1, 'field.wrong_type'],
    ['a map', favourite, map, null],
    ['a text for a map', favourite, map.hash, 'field.wrong_type'],
    ['a map with a short hash', favourite, { ...map, hash: 'abc' }, 'field.map_invalid'],
    ['a map with a hash that is not hexadecimal', favourite, { ...map, hash: 'g'.repeat(40) }, 'field.map_invalid'],
    ['a map without difficulty', favourite, { ...map, difficulty: '' }, 'field.map_invalid'],
    ['a map with an endless difficulty', favourite, { ...map, difficulty: 'x'.repeat(101) }, 'field.map_invalid'],
    ['a map without characteristic', favourite, { ...map, characteristic: '' }, 'field.map_invalid'],
    ['an empty text, which takes an answer back', seats, '', null],
  ]
  test.each(rows)('%s', (_what, asked, response, code) => {
    const { answers, concerns } = readAnswers(fields, players, [{ fieldGuid: asked.guid, response }])
    expect(concerns.map(({ userGuid, failure }) => [userGuid, failure.code])).toEqual(
      code === null ? [] : [[null, code]],
    )
    if (code === null) expect(answers).toEqual([{ fieldGuid: asked.guid, userGuid: null, response, isPrivate: false }])
    else expect(concerns[0]?.failure.message).toMatch(new RegExp(`^“${asked.label}” takes .*\\.$`))
  })
})

describe('an answer says whose it is exactly where the field is a player’s', () => {
  const rows: [string, GivenAnswer, string | null, string | null][] = [
    ['a team’s answer', { fieldGuid: motto.guid, response: 'x' }, null, null],
    ['a team’s answer with a null user', { fieldGuid: motto.guid, userGuid: null, response: 'x' }, null, null],
    [
      'a team’s answer for a player',
      { fieldGuid: motto.guid, userGuid: quaver.userGuid, response: 'x' },
      null,
      'field.wrong_subject',
    ],
    ['a player’s answer', { fieldGuid: shirt.guid, userGuid: quaver.userGuid, response: 'S' }, null, null],
    ['a player’s answer for nobody', { fieldGuid: shirt.guid, response: 'S' }, null, 'field.wrong_subject'],
    [
      'a player’s answer for a stranger',
      { fieldGuid: shirt.guid, userGuid: guid(999), response: 'S' },
      null,
      'field.not_a_member',
    ],
    [
      'a player’s answer that does not fit',
      { fieldGuid: shirt.guid, userGuid: minim.userGuid, response: 'XXL' },
      minim.userGuid,
      'field.option_unknown',
    ],
    ['an unknown field', { fieldGuid: guid(77), response: 'x' }, null, 'field.unknown'],
    ['what is no GUID', { fieldGuid: 'motto', response: 'x' }, null, 'field.unknown'],
  ]
  test.each(rows)('%s', (_what, given, userGuid, code) => {
    const { concerns } = readAnswers(fields, players, [given])
    expect(concerns.map((concern) => [concern.userGuid, concern.failure.code])).toEqual(
      code === null ? [] : [[userGuid, code]],
    )
  })
})

test('GUIDs are read in any case and kept in lower case', () => {
  const given = { fieldGuid: shirt.guid.toUpperCase(), userGuid: quaver.userGuid.toUpperCase(), response: 'S' }
  expect(readAnswers(fields, players, [given])).toEqual({
    answers: [{ fieldGuid: shirt.guid, userGuid: quaver.userGuid, response: 'S', isPrivate: false }],
    concerns: [],
  })
})

test('a field is answered once for the team, and once for each player', () => {
  const once = [
    { fieldGuid: motto.guid, response: 'a' },
    { fieldGuid: shirt.guid, userGuid: quaver.userGuid, response: 'S' },
    { fieldGuid: shirt.guid, userGuid: minim.userGuid, response: 'S' },
  ]
  expect(readAnswers(fields, players, once).concerns).toEqual([])
  const twice = [...once, { fieldGuid: motto.guid, response: 'a' }, { ...(once[2] as GivenAnswer), response: 'M' }]
  const { concerns } = readAnswers(fields, players, twice)
  expect(concerns.map(({ userGuid, failure }) => [userGuid, failure.code])).toEqual([
    [null, 'field.answered_twice'],
    [minim.userGuid, 'field.answered_twice'],
  ])
  expect(concerns[1]?.failure.message).toBe('Answer “Field 6” for Minim only once.')
})

test('every fault is told, not the first alone', () => {
  const given = [
    { fieldGuid: guid(77), response: 'x' },
    { fieldGuid: seats.guid, response: 'x' },
    { fieldGuid: region.guid, response: 'x' },
  ]
  expect(readAnswers(fields, players, given).concerns.map(({ failure }) => failure.code)).toEqual([
    'field.unknown',
    'field.wrong_type',
    'field.option_unknown',
  ])
})

describe('required fields', () => {
  const needsMotto = { ...motto, required: true }
  const needsShirt = { ...shirt, required: true }
  const required = [needsMotto, needsShirt, seats]
  const answer = (of: AdditionalField, userGuid: string | null, response: FieldResponse): FieldAnswer => ({
    fieldGuid: of.guid,
    userGuid,
    response,
    isPrivate: false,
  })
  const lacking = (stored: readonly FieldAnswer[], given: readonly FieldAnswer[]) =>
    findUnanswered(required, players, stored, given).map(({ field: { label }, userGuid }) => [label, userGuid])
  const [ofTeam, ofQuaver, ofMinim] = [
    ['Field 1', null],
    ['Field 6', quaver.userGuid],
    ['Field 6', minim.userGuid],
  ]

  const rows: [string, readonly FieldAnswer[], readonly FieldAnswer[], unknown[]][] = [
    ['nothing answered: the team and every player lack', [], [], [ofTeam, ofQuaver, ofMinim]],
    ['a given answer counts', [], [answer(motto, null, 'x')], [ofQuaver, ofMinim]],
    ['a stored answer counts', [answer(shirt, quaver.userGuid, 'S')], [], [ofTeam, ofMinim]],
    ['an empty text is none', [], [answer(motto, null, '')], [ofTeam, ofQuaver, ofMinim]],
    [
      'an empty text takes a stored one back',
      [answer(motto, null, 'x')],
      [answer(motto, null, '')],
      [ofTeam, ofQuaver, ofMinim],
    ],
    [
      'a given answer goes before a stored one that no longer fits',
      [answer(shirt, minim.userGuid, 'XXL')],
      [answer(shirt, minim.userGuid, 'M')],
      [ofTeam, ofQuaver],
    ],
    [
      'a stored answer that no longer fits counts for nothing',
      [answer(shirt, minim.userGuid, 'XXL'), answer(motto, null, 4)],
      [],
      [ofTeam, ofQuaver, ofMinim],
    ],
    [
      'answers of people who have left count for nothing',
      [answer(shirt, guid(950), 'S')],
      [],
      [ofTeam, ofQuaver, ofMinim],
    ],
    [
      'all answered',
      [answer(motto, null, 'x'), answer(shirt, quaver.userGuid, 'S')],
      [answer(shirt, minim.userGuid, 'S')],
      [],
    ],
  ]
  test.each(rows)('%s', (_what, stored, given, expected) => {
    expect(lacking(stored, given)).toEqual(expected)
  })

  test('what is lacking is said of the team, or of the player by name', () => {
    const concerns = findUnanswered(required, players, [], []).map((subject) => unansweredConcern(players, subject))
    expect(concerns.map(({ failure }) => failure.message)).toEqual([
      'Answer “Field 1”.',
      'Answer “Field 6” for Quaver.',
      'Answer “Field 6” for Minim.',
    ])
    expect(new Set(concerns.map(({ failure }) => failure.code))).toEqual(new Set(['field.unanswered']))
  })
})
