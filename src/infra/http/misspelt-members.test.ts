import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { Guid, nullable } from '../../core/schema.ts'
import { alikeFinder, mayHaveAlike, stemOf } from './misspelt-members.ts'

/** Which unknown members of a body count as misspelt known ones. (D80) */

const body = Type.Object({
  name: Type.String(),
  badgeGuid: Type.Optional(nullable(Guid)),
  tournament: Type.Optional(Type.String()),
  sendToChat: Type.Optional(Type.Boolean()),
  users: Type.Optional(Type.Array(Type.Object({ user: Type.String(), label: Type.Optional(Type.String()) }))),
  rules: Type.Optional(nullable(Type.Object({ linkBefore: Type.String() }, { title: 'Rules' }))),
  source: Type.Optional(Type.Union([Type.Object({ poolId: Guid }), Type.Object({ rows: Type.Array(Guid) })])),
  free: Type.Optional(Type.Record(Type.String(), Type.String())),
  strict: Type.Optional(Type.Object({ limit: Type.Integer() }, { additionalProperties: false })),
})
const reply = {
  200: Type.Object({ tournamentId: Guid, of: Type.Object({ labels: Type.Array(Type.String()) }) }),
}
const find = alikeFinder(body, reply)

const misspelt: readonly (readonly [sent: object, at: string, known: string])[] = [
  [{ badge: 'x' }, 'badge', 'badgeGuid'],
  [{ badge_guid: 'x' }, 'badge_guid', 'badgeGuid'],
  [{ badgeId: null }, 'badgeId', 'badgeGuid'],
  [{ BadgeGUID: 'x' }, 'BadgeGUID', 'badgeGuid'],
  [{ names: [] }, 'names', 'name'],
  [{ tournamentGuid: 'x' }, 'tournamentGuid', 'tournament'],
  [{ tournamentIdentifier: 'x' }, 'tournamentIdentifier', 'tournament'],
  [{ send_to_chat: true }, 'send_to_chat', 'sendToChat'],
  [{ users: [{ user: 'a' }, { userGuid: 'b' }] }, 'users.1.userGuid', 'user'],
  [{ rules: { link_before: 'x' } }, 'rules.link_before', 'linkBefore'],
]
test.each(misspelt)('%j', (sent, at, known) => {
  const alike = find(sent)
  expect([alike?.path.join('.'), alike?.known]).toEqual([at, known])
})

const ignored: readonly (readonly [why: string, sent: object])[] = [
  ['it is like none', { stranger: 1, guid: 'x', id: 'x', s: 1 }],
  ['the known one is given as well', { badge: { name: 'Champion' }, badgeGuid: 'x', name: 'a', names: [] }],
  ['the answer has it', { tournamentId: 'x' }],
  ['the answer has it, deeper', { users: [{ user: 'a', labels: [] }] }],
  ['which form is meant is not known', { source: { pool: 'x' } }],
  ['any name is good there', { free: { name_: 'x' } }],
  ['it is refused anyway', { strict: { limits: 1 } }],
  ['the schema refuses these forms', { users: 'none', rules: [], source: null }],
  ['no slip is so long', { [`badge${'_'.repeat(100)}`]: 1 }],
]
test.each(ignored)('not where %s', (_why, sent) => {
  expect(find(sent)).toBeNull()
})

test('not in what is no object', () => {
  for (const sent of [null, 1, 'text', [], [{ badge: 1 }]]) expect(find(sent)).toBeNull()
})

test('names have in common what they are about', () => {
  const alike = ['badge', 'badgeGuid', 'badgeGuids', 'badge_id', 'badges', 'Badge', 'badgeIdentifier']
  expect(alike.map(stemOf)).toEqual(alike.map(() => 'badge'))
  expect(['guid', 'id', 's', 'identifier'].map(stemOf)).toEqual(['', '', '', ''])
})

test('only where strangers are ignored, and the body is read member by member', () => {
  expect(mayHaveAlike({ body })).toBe(true)
  expect(mayHaveAlike({ body: Type.Object({}) })).toBe(false)
  expect(mayHaveAlike({})).toBe(false)
  for (const other of [{ strict: true }, { verbatim: true }, { bodyType: 'form' }, { bodyType: 'file' }] as const)
    expect(mayHaveAlike({ body, ...other })).toBe(false)
})
