import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Operated, operate, operateAll } from '../../../../test/assistant-session.ts'
import type { Which } from '../../../../test/fakes/assistant/faults.ts'
import { type Harness, outcome, startHarness } from '../../../../test/harness.ts'

/** Cuts the connection before, within and after each packet of a song. (AS8, AS9; assistant: What proves it, 2) */

let api: Harness
beforeAll(async () => {
  api = await startHarness({ webhookAllowPrivate: true })
})
afterAll(() => api[Symbol.asyncDispose]())

interface Cut {
  readonly at: Pick<Which, 'direction' | 'kind' | 'nth'>
  readonly effect: 'cutBefore' | 'cutWithin' | 'cutAfter'
  /** The step before which the fault is set; `opening` sets it before the first connection. */
  readonly before: 'opening' | 'map' | 'load' | 'check' | 'play' | 'return'
  /** Whether the assistant already has a match of the players, whose leader is another user. */
  readonly hasMatch?: boolean
}

const received = (kind: string, before: Cut['before'], more: Partial<Cut> = {}) => ({
  at: { direction: 'received' as const, kind, nth: 1 },
  before,
  ...more,
})
const sent = (kind: string, before: Cut['before'], nth = 1) => ({
  at: { direction: 'sent' as const, kind, nth },
  before,
})

const cuts: readonly Cut[] = [
  received('request.connect', 'opening'),
  sent('response.connect', 'opening'),
  received('request.join', 'opening'),
  sent('response.join', 'opening'),
  received('request.createMatch', 'opening'),
  sent('event.matchCreated', 'opening'),
  sent('response.createMatch', 'opening'),
  received('request.addUserToMatch', 'opening', { hasMatch: true }),
  received('request.setMatchLeader', 'opening', { hasMatch: true }),
  received('request.setMatchMap', 'map'),
  sent('response.updateMatch', 'map'),
  received('request.loadSong', 'load'),
  sent('response.loadSong', 'load'),
  sent('response.loadSong', 'load', 2),
  received('request.showPrompt', 'check'),
  sent('response.showPrompt', 'check'),
  received('command.playSong', 'play'),
  sent('event.userUpdated', 'play'),
  sent('event.userUpdated', 'play', 2),
  sent('push.realtimeScore', 'play', 2),
  sent('push.songFinished', 'play'),
  sent('push.songFinished', 'play', 2),
  received('command.returnToMenu', 'return'),
].flatMap((cut) => [
  { ...cut, effect: 'cutBefore' as const },
  // The fake handles a received packet only when it is complete, so it cannot cut within one.
  ...(cut.at.direction === 'sent' ? [{ ...cut, effect: 'cutWithin' as const }] : []),
  { ...cut, effect: 'cutAfter' as const },
])

test('never two starts of a song, never two games, and nothing is lost that was told', async () => {
  const song = { seconds: 2.5 }
  const arrange = async ({ hasMatch = false }: Cut) => {
    const operated = await operate(api)
    for (const game of operated.games) game.script.song = song
    const [one, other] = operated.games
    if (hasMatch) operated.fake.others.createMatch([one?.guid ?? '', other?.guid ?? ''])
    return operated
  }
  await operateAll(cuts, arrange, playThrough)
})

async function playThrough(operated: Operated, { at, effect, before }: Cut): Promise<void> {
  const { fake, made } = operated
  const arm = (step: Cut['before']) => {
    if (step === before) fake.faults.add(at, effect)
  }
  arm('opening')
  expect(outcome(await operated.open())).toEqual([201, null])
  await operated.until('ready')
  arm('map')
  expect((await operated.setMap()).status).toBe(200)
  arm('load')
  await operated.load()
  arm('check')
  expect((await operated.insist('POST', 'ready-check')).status).toBe(200)
  await operated.until('loaded')
  arm('play')
  const play = await operated.ask('POST', 'play', { mode: 'now' }, 'the-start')
  expect([200, 503]).toContain(play.status)
  // The repeated key sends nothing again, even if the first answer was lost.
  const again = operated.ask('POST', 'play', { mode: 'now' }, 'the-start')
  if (before === 'return') {
    arm('return')
    await operated.insist('POST', 'return')
  }
  const state = await operated.outcome()
  await again

  // The cut has happened: there was a second connection.
  await expect.poll(() => operated.received('request.connect').length).toBeGreaterThan(1)
  expect(operated.received('command.playSong').length).toBeLessThanOrEqual(1)
  for (const game of operated.games) expect(game.count('command.playSong')).toBeLessThanOrEqual(1)
  expect((await operated.plays()).length).toBe(1)
  const ours = fake.matches.filter(({ associatedUsers }) =>
    operated.games.some(({ guid }) => associatedUsers.includes(guid)),
  )
  expect(ours.length).toBe(1)
  // The server stores doubles, so no user may be added twice.
  expect(new Set(ours[0]?.associatedUsers).size).toBe(ours[0]?.associatedUsers.length)

  const proposals = await operated.proposals()
  if (before === 'return') {
    expect(state).toBe('aborted')
    expect(proposals).toEqual([])
    return
  }
  // Every report that left the server while the session was connected is stored.
  const sentTypes = fake.sent.flatMap(({ packet: { packet } }) =>
    packet.case === 'push' && packet.value.data.case === 'songFinished'
      ? [packet.value.data.value.player?.platformId]
      : [],
  )
  const finishes = await operated.finishes()
  const known = finishes.map(
    ({ user_guid: user }) => made.players.flat().find((one) => one.user.guid === user)?.platformId,
  )
  expect(known.toSorted()).toEqual([...new Set(sentTypes)].toSorted())
  expect(proposals.length).toBe(1)
  const [proposal] = proposals
  expect(proposal.status).toBe('proposed')
  const codes = proposal.warnings.map(({ code }: { readonly code: string }) => code)
  if (state === 'finished') expect(finishes.length).toBe(2)
  else {
    expect(state).toBe('uncertain')
    expect(codes).toContain('interrupted')
  }
  // Only a cut during the song can leave results missing.
  if (before !== 'play') expect([state, codes]).toEqual(['finished', ['free_map']])
  const players = made.players.flat().map(({ user }) => ({ user: user.guid, score: 500_000, completion: 'passed' }))
  const body = finishes.length === 2 ? {} : { players, reason: 'As their screens showed' }
  const address = `${made.first}/proposals/${proposal.guid}/accept`
  const accepted = await Promise.all([1, 2, 3].map(() => api.post(address, made.organiser, body)))
  expect(accepted.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  expect((await api.get(made.first, made.organiser)).body.games?.length ?? 0).toBe(1)
}
