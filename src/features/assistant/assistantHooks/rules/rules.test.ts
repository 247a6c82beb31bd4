import { describe, expect, test } from 'vitest'
import type { ListedMap, Parameters } from '../../../../infra/clients/assistant/messages.ts'
import { readHookBody } from './hooks.ts'
import { planPush } from './pushing.ts'

const parameters = (hash: string, more: Partial<Parameters> = {}): Parameters => ({
  hash: hash.repeat(40),
  characteristic: 'Standard',
  difficulty: 'Hard',
  name: 'A song',
  modifiers: [],
  playerOptions: [],
  disablePause: false,
  disableFail: false,
  disableScoreSubmission: false,
  showScoreboard: false,
  disableCustomNotesOnStream: false,
  target: 0,
  attempts: 0,
  ...more,
})
const held = (guid: string, of: Parameters): ListedMap => {
  const { hash, characteristic, difficulty, name } = of
  return { guid, hash, levelId: `custom_level_${hash}`, characteristic, difficulty, name, parameters: of }
}
const own = (guid: string, of: Parameters | null) => ({ guid, parameters: of })

describe('what is pushed', () => {
  const [a, b] = [parameters('a'), parameters('b')]
  test.each([
    ['is added', [], [own('1', a)], false, { added: [{ guid: '1', map: a }] }],
    [
      'is there already, whatever it is called',
      [held('x', { ...a, name: 'Else' })],
      [own('1', a)],
      false,
      { unchanged: 1 },
    ],
    [
      'is played otherwise',
      [held('x', { ...a, modifiers: ['NoFail'] })],
      [own('1', a)],
      false,
      { updated: [{ guid: '1', mapGuid: 'x', map: a }] },
    ],
    [
      'is another by its difficulty',
      [held('x', { ...a, difficulty: 'Easy' })],
      [own('1', a)],
      false,
      { added: [{ guid: '1', map: a }] },
    ],
    ['leaves what is foreign', [held('x', b)], [], false, {}],
    [
      'takes what is foreign away, and doubles',
      [held('x', a), held('y', a), held('z', b)],
      [own('1', a)],
      true,
      { unchanged: 1, removed: ['y', 'z'] },
    ],
    ['cannot be said there', [], [own('1', null)], false, { impossible: ['1'] }],
  ])('%s', (_name, before, wanted, remove, expected) => {
    const nothing = { added: [], updated: [], removed: [], unchanged: 0, impossible: [] }
    expect(planPush(before, wanted, remove)).toEqual({ ...nothing, ...expected })
  })

  test('is the same in any order of its options', () => {
    const one = { ...a, modifiers: ['NoFail', 'FastSong'] }
    const other = { ...a, modifiers: ['FastSong', 'NoFail'] }
    expect(planPush([held('x', one)], [own('1', other)], false).unchanged).toBe(1)
  })
})

describe('the instant of a hook', () => {
  const now = new Date('2026-11-23T10:00:00.000Z')
  const read = (timestamp: unknown) => readHookBody(Buffer.from(JSON.stringify({ timestamp, data: {} })), now).at
  test.each([
    '2026-11-23T10:00:00Z',
    '2026-11-23T10:00:00.0000000Z',
    '2026-11-23T10:00:00',
    '2026-11-23T11:00:00+01:00',
    now.getTime(),
    now.getTime() / 1_000,
    String(now.getTime()),
  ])('%s', (timestamp) => {
    expect(read(timestamp)).toEqual(now)
  })
  test.each(['yesterday', '', null, {}, '2026-13-45T99:00:00Z'])('%s is none', (timestamp) => {
    expect(() => read(timestamp)).toThrow(expect.objectContaining({ code: 'assistant.hook_invalid' }))
  })
  test.each(['2026-11-23T09:54:59Z', '2026-11-23T10:05:01Z'])('%s is too far away', (timestamp) => {
    expect(() => read(timestamp)).toThrow(expect.objectContaining({ code: 'assistant.hook_old' }))
  })
})
