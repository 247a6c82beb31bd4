import { describe, expect, test } from 'vitest'
import { type Actor, anonymous } from '../../../core/actor.ts'
import type { Problem } from '../../../core/problem.ts'
import { controlAudience, onAirAudience } from './policy.ts'
import {
  changedMembers,
  checkCustom,
  checkScene,
  pointedAt,
  shownScene,
  takeTurns,
  untouched,
  withChanges,
} from './rules.ts'

const scenes = (...orders: [id: string, order: string][]) => ({
  scenes: Object.fromEntries(orders.map(([id, order]) => [id, { name: id, order, elements: {} }])),
})

function codeOf(work: () => void): string | null {
  try {
    work()
    return null
  } catch (error) {
    return (error as Problem).code
  }
}

describe('what an overlay shows', () => {
  const two = scenes(['scene002', 'b'], ['scene001', 'V'])

  test.each([
    ['nothing is published', null, undefined, null],
    ['a scene was set before anything was taken back', 'scene002', undefined, null],
    ['none was set', null, two, 'scene001'],
    ['one was set', 'scene002', two, 'scene002'],
    ['the one that was set is gone', 'scene003', two, 'scene001'],
    ['a name is no scene', 'constructor', two, 'scene001'],
  ])('where %s', (_words, scene, published, shown) => expect(shownScene(scene, published)).toBe(shown))

  test('is a scene of the published document alone', () => {
    expect(codeOf(() => checkScene('scene002', two))).toBeNull()
    expect(codeOf(() => checkScene('scene003', two))).toBe('control.scene_unknown')
    expect(codeOf(() => checkScene('toString', two))).toBe('control.scene_unknown')
    expect(codeOf(() => checkScene('scene001', undefined))).toBe('control.scene_unknown')
  })

  test('changes by the members that are named, sound member by member, values of one’s own as a whole', () => {
    const before = { ...untouched('overlay'), custom: { one: 1 }, flavour: 'Before' }
    const after = withChanges(before, { audio: { volume: 0.33333 }, custom: { two: 'b' }, blank: true })
    expect(after).toEqual({
      ...before,
      audio: { active: 0, muted: false, volume: 0.333 },
      custom: { two: 'b' },
      blank: true,
    })
    expect(changedMembers(before, after)).toEqual(['audio', 'blank', 'custom'])
    expect(changedMembers(after, withChanges(after, { custom: { two: 'b' }, audio: { muted: false } }))).toEqual([])
  })

  test('begins with another match as that is, and keeps the rest', () => {
    const before = {
      ...untouched('overlay'),
      matchGuid: 'one',
      swapSides: true,
      mapCard: 'hidden' as const,
      highlighted: ['two'],
      scene: 'scene001',
      flavour: 'Kept',
      custom: { kept: true },
      audio: { active: 2 as const, muted: true, volume: 0.5 },
    }
    expect(pointedAt(before, 'other')).toEqual({
      ...before,
      matchGuid: 'other',
      swapSides: false,
      mapCard: 'auto',
      highlighted: [],
    })
  })

  test('has values of one’s own by names that can be bound to', () => {
    expect(codeOf(() => checkCustom({ a: 1, sponsorName: 'x', b9: true }))).toBeNull()
    for (const name of ['', 'A', '9a', 'a-b', 'a.b', 'ä', 'a'.repeat(33), '__proto']) {
      expect(
        codeOf(() => checkCustom({ [name]: 1 })),
        name,
      ).toBe('control.custom_invalid')
    }
  })
})

describe('turns to write', () => {
  const now = 1_000_000
  const ten = (at: number) => Array.from({ length: 10 }, () => at)

  test('are ten within any second, and the others’ in the order in which they came', () => {
    const { given, turns } = takeTurns([], now, 50)
    expect(given).toEqual([0, 1, 2, 3, 4].flatMap((second) => ten(now + second * 1_000)))
    expect(turns).toEqual(ten(now + 4_000))
    // The sixtieth write waits five seconds; later ones would have to wait longer.
    expect(takeTurns(turns, now, 11)).toEqual({ given: [...ten(now + 5_000), null], turns: ten(now + 5_000) })
    expect(takeTurns(ten(now + 5_000), now + 1, 1)).toEqual({
      given: [now + 6_000].map(() => null),
      turns: ten(now + 5_000),
    })
    expect(takeTurns(ten(now + 5_000), now + 1_000, 1).given).toEqual([now + 6_000])
  })

  test('of a slow writer are at once', () => {
    let last: readonly number[] = []
    for (let index = 0; index < 100; index++) {
      const { given, turns } = takeTurns(last, now + index * 100, 1)
      expect(given).toEqual([now + index * 100])
      last = turns
    }
    expect(last).toHaveLength(10)
  })

  test('within a second slide', () => {
    const last = Array.from({ length: 10 }, (_, index) => now + index * 50)
    expect(takeTurns(last, now + 500, 3).given).toEqual([now + 1_000, now + 1_050, now + 1_100])
  })

  test('begin anew where the clock was set back', () => {
    expect(takeTurns(ten(now + 3_600_000), now, 1)).toEqual({ given: [now], turns: [now] })
  })
})

describe('whom an answer is shared with', () => {
  const overlay = { guid: 'overlay', access: 'token', editors: ['editor'] }
  const view = { overlayGuid: 'overlay', tournamentGuid: 'cup', tokenGuid: 'token', preview: false }
  const cases: [who: string, actor: Partial<Actor>, control: string, data: string][] = [
    ['anybody', {}, 'public', 'public'],
    ['somebody who is signed in', { guid: 'other' }, 'public', 'public'],
    ['an editor', { guid: 'editor' }, 'seat:editors', 'seat:on-air'],
    ['staff of any kind', { guid: 'other', roles: new Set(['role:pooler']) }, 'staff', 'seat:on-air'],
    ['an editor who is staff', { guid: 'editor', roles: new Set(['role:host']) }, 'staff', 'seat:on-air'],
    ['the organiser', { guid: 'other', isOrganiser: true }, 'staff', 'seat:on-air'],
    ['a page with a token of the overlay', { view }, 'public', 'seat:pages'],
    ['a page with a token of another one', { view: { ...view, overlayGuid: 'other' } }, 'public', 'public'],
  ]

  test.each(cases)('of %s', (_who, given, control, data) => {
    const actor: Actor = { ...anonymous, ...given }
    expect([controlAudience(actor, { overlay }), onAirAudience(actor, { overlay })]).toEqual([control, data])
  })
})
