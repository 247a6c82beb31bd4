import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../../test/harness.ts'
import { makeVisibility, type Visibility } from '../../../../test/visibility.ts'
import type { TournamentStatus } from '../../tournaments/tournaments/types.ts'
import type { Decision, RequestStatus } from './types.ts'

let api: Harness
let kit: Visibility
beforeAll(async () => {
  api = await startHarness()
  kit = await makeVisibility(api)
})
afterAll(() => api[Symbol.asyncDispose]())

describe('blocking on the system platform', () => {
  test.each<[RequestStatus, TournamentStatus]>([
    ['pending', 'draft'],
    ['rejected', 'draft'],
    ['approved', 'approved'],
    ['approved', 'ongoing'],
  ])('a request that is %s, of a tournament that is %s, cancels it', async (request, status) => {
    const tournament = await kit.arrange(status, request)
    await kit.onPlatform(tournament, kit.systemPlatform, 'blocked', 'Stolen prizes.')
    expect(await kit.stored(tournament)).toEqual({ status: 'blocked', reason: 'Stolen prizes.', by: kit.manager.guid })
    expect(await kit.standing(tournament)).toEqual(['cancelled', null])
  })

  test('neither the block nor its reason is in what the tournament’s staff can read', async () => {
    const tournament = await kit.arrange('approved', 'approved')
    const { guid } = await kit.onPlatform(tournament, kit.systemPlatform, 'blocked', 'Stolen prizes.')
    const readable = await api.sql('select * from event_log where tournament = $1', [tournament.guid])
    expect(JSON.stringify(readable)).not.toMatch(/block|Stolen/i)
    const list = await api.get(`/tournaments/${tournament.guid}/audit`, kit.organiser)
    expect([list.status, list.body.entries.length]).toEqual([200, readable.length])
    expect(list.text).not.toMatch(/block|Stolen/i)
    expect(await kit.audit(tournament)).toEqual([
      {
        type: 'visibility.rejected',
        subject: guid,
        actor: kit.manager.guid,
        before: { status: 'approved' },
        after: { platformGuid: kit.systemPlatform, status: 'rejected', reason: null },
      },
    ])
    const truth = await api.sql(
      `select type, tournament, after from event_log where subject = $1 and type = 'platform.visibility_blocked'`,
      [guid],
    )
    expect(truth).toEqual([
      {
        type: 'platform.visibility_blocked',
        tournament: null,
        after: {
          tournamentGuid: tournament.guid,
          platformGuid: kit.systemPlatform,
          status: 'blocked',
          reason: 'Stolen prizes.',
        },
      },
    ])
    // Lifting the block does not show it either.
    expect((await kit.approve(tournament)).status).toBe(200)
    expect((await kit.audit(tournament)).at(-1)).toMatchObject({
      type: 'visibility.approved',
      before: { status: 'rejected' },
    })
  })

  test('needs a reason', async () => {
    const tournament = await kit.arrange('draft', 'pending')
    await expect(kit.onPlatform(tournament, kit.systemPlatform, 'blocked')).rejects.toThrow(
      expect.objectContaining({ code: 'visibility.reason_missing' }),
    )
    expect(await kit.standing(tournament)).toEqual(['draft', null])
  })
})

describe('other platforms', () => {
  test('list and unlist by their own decisions, and leave the tournament’s status alone', async () => {
    const platform = await kit.otherPlatform()
    const tournament = await kit.arrange('ongoing', 'approved')
    const steps: ['ask' | Decision, RequestStatus, TournamentStatus | null][] = [
      ['ask', 'pending', null],
      ['approved', 'approved', 'ongoing'],
      ['rejected', 'rejected', null],
      ['ask', 'pending', null],
      ['approved', 'approved', 'ongoing'],
      ['blocked', 'blocked', null],
      ['ask', 'blocked', null],
    ]
    for (const [step, request, listed] of steps) {
      expect((await kit.onPlatform(tournament, platform, step, 'Why.')).status).toBe(request)
      expect(await kit.standing(tournament, platform)).toEqual(['ongoing', listed])
    }
    expect(await kit.standing(tournament)).toEqual(['ongoing', 'ongoing'])
    expect((await kit.stored(tournament))?.status).toBe('approved')
  })

  test('a remembered public list shows each decision at once', async () => {
    const platform = await kit.otherPlatform()
    const tournament = await kit.arrange('ongoing', null)
    const [row] = await api.sql<{ id: string }>('select context_id as id from platforms where guid = $1', [platform])
    const listed = async () => {
      const reply = await api.get(`/tournaments?platform=${row?.id}`)
      return reply.body.tournaments.map(({ guid }: { guid: string }) => guid)
    }
    await kit.onPlatform(tournament, platform, 'ask')
    for (const [decision, expected] of [
      ['approved', [tournament.guid]],
      ['rejected', []],
      ['approved', [tournament.guid]],
      ['blocked', []],
    ] as const) {
      await kit.onPlatform(tournament, platform, decision, 'Why.')
      expect([await listed(), await listed()]).toEqual([expected, expected])
    }
  })

  test('approve drafts without listing them', async () => {
    const platform = await kit.otherPlatform()
    const tournament = await kit.arrange('draft', null)
    await kit.onPlatform(tournament, platform, 'ask')
    await kit.onPlatform(tournament, platform, 'approved')
    expect(await kit.standing(tournament, platform)).toEqual(['draft', null])
  })

  test('a listing counts as played on remembered cards at once', async () => {
    const platform = await kit.otherPlatform()
    const tournament = await kit.arrange('ongoing', null)
    const player = await api.user()
    await api.sql('insert into appearances (tournament_guid, user_guid) values ($1, $2)', [
      tournament.guid,
      player.guid,
    ])
    const played = async () => (await api.get(`/users/${player.guid}/card`)).body.tournamentsPlayed
    expect(await played()).toBe(0)
    await kit.onPlatform(tournament, platform, 'ask')
    await kit.onPlatform(tournament, platform, 'approved')
    expect(await played()).toBe(1)
    await kit.onPlatform(tournament, platform, 'rejected', 'Why.')
    expect(await played()).toBe(0)
  })
})
