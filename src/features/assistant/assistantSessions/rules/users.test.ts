import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { AssistantUser } from '../../../../infra/clients/assistant/messages.ts'
import { Users } from './users.ts'

const userOf = (guid: string, streamDelayMs = 0): AssistantUser => ({
  guid,
  name: guid,
  platformId: guid,
  clientType: 'player',
  playState: 'menu',
  downloadState: 'none',
  mods: [],
  streamDelayMs,
})

test('it is what a map would be, in the same order, and what was before stays as it was', () => {
  const change = fc.record({ guid: fc.integer({ min: 0, max: 60 }).map(String), goes: fc.boolean() })
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 60 }).map(String)), fc.array(change), (first, changes) => {
      const plain = new Map(first.map((guid) => [guid, userOf(guid)]))
      let users = Users.of(first.map((guid) => userOf(guid)))
      const before = users
      const was = [...plain.values()]
      for (const [number, { guid, goes }] of changes.entries()) {
        if (goes) plain.delete(guid)
        else plain.set(guid, userOf(guid, number))
        users = goes ? users.without(guid) : users.with(userOf(guid, number))
        expect([users.size, users.get(guid)]).toEqual([plain.size, plain.get(guid)])
      }
      expect(users.values()).toEqual([...plain.values()])
      expect(before.values()).toEqual(was)
    }),
    { numRuns: 200 },
  )
})
