import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeSettled, type Settled } from '../../../../test/accounts.ts'
import { chatConfig } from '../../../../test/chat-sign-in.ts'
import { type FakeChat, startFakeChat } from '../../../../test/fakes/chat.ts'
import { type Harness, outcome, type Reply, startHarness } from '../../../../test/harness.ts'
import { makeApplication, makeTournament } from '../../../../test/make.ts'

let chat: FakeChat
let api: Harness
let user: Settled
let reply: Reply
beforeAll(async () => {
  chat = await startFakeChat()
  api = await startHarness({ chat: chatConfig(chat) })
  user = await makeSettled(api, chat)
  reply = await download(user)
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await chat.close()
})

const download = (as: { token: string } | null) => api.call('GET', '/users/@me/export', { token: as?.token ?? null })
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const records = (section: string) => reply.body.held[section].records

describe('who may', () => {
  test('the signed-in user, with the scope of their profile', async () => {
    expect(outcome(await download(null))).toEqual([401, 'token.missing'])
    const token = await api.token(user, ['rest:user:read'])
    expect(outcome(await download({ token }))).toEqual([200, null])
    expect(outcome(await download({ token: await api.token(user, ['ws:write']) }))).toEqual([401, 'scope.missing'])
  })

  test('no application, whatever it was granted', async () => {
    for (const scope of ['rest:user:read', 'rest:write'] as const) {
      const token = await api.token(user, [scope], await makeApplication(api, user))
      expect(outcome(await download({ token }))).toEqual([403, 'role.missing'])
    }
  })

  test('it counts against the budget of uploads', async () => {
    expect(reply.headers.get('ratelimit-policy')).toContain('"upload"')
  })
})

describe('the file', () => {
  test('is JSON, to be saved, and for nobody else', async () => {
    expect(reply.status).toBe(200)
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="account-${user.guid}.json"`)
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(Object.keys(reply.body)).toEqual(['exportedAt', 'profile', 'held'])
    expect(reply.body.exportedAt).toEqual(instant)
  })

  test('has the whole account', () => {
    expect(reply.body.profile).toEqual({
      guid: user.guid,
      chatPlatformId: user.chatPlatformId,
      username: 'zyzzyva',
      preferredName: 'Zyzzyva Quill',
      avatarUrl: 'https://ushuaia.example/me.png',
      chatAvatarUrl: expect.stringContaining(`/avatars/${user.chatPlatformId}/`),
      description: 'Born in **Ushuaia**.',
      pronouns: 'zy/zyr',
      pronunciation: 'ZIZ-iva',
      headset: 'Ushuaia headset',
      grip: 'Ushuaia grip',
      controllers: 'Ushuaia controllers',
      country: 'AR',
      email: 'zyzzyva@quill.example',
      emailVerifiedAt: instant,
      isBot: false,
      globalRoles: [],
      createdAt: instant,
      updatedAt: instant,
    })
  })

  test('has a section for everything else that is held, each with something in it here, whole', () => {
    expect(Object.keys(reply.body.held).sort()).toEqual(
      [
        ...['accessTokens', 'applications', 'consents', 'grants'],
        ...['activity', 'answers', 'appearances', 'connections', 'emailVerifications', 'identities'],
        ...['invitations', 'invitationsSent', 'notices', 'notifications', 'platformMemberships', 'rankingProfiles'],
        ...['signInPlaces', 'signIns', 'teams', 'tournamentRoles', 'tournaments', 'updates', 'visibilityDecisions'],
        'platformMessages',
        'media',
        ...['availability', 'availabilitySheets', 'teamAvailability'],
        ...['scheduleProposals', 'rehearsals'],
        'qualifierAttempts',
        ...['mapsAdded', 'poolCorrections', 'suggestions', 'mapVotes', 'poolComments'],
        'imports',
        ...['claims', 'claimLinksMade', 'importedPeople'],
        ...['corrections', 'gamesPlayed', 'officialAssignments'],
        ...['flowRows', 'flowSessionsBegun'],
        ...['streamKeys', 'streamAssignments', 'streamSessions'],
        ...['assistantFinishes', 'gameProposalsDecided', 'bridgeTickets', 'bridgeTicketsMade'],
        ...['calendarAddress', 'pushDevices'],
        ...['overlayControls', 'overlayTemplates', 'overlayTokens', 'overlayVersions', 'overlaysEdited'],
        ...['awardNominations', 'awardVotes', 'awardRoll', 'awardExclusions'],
        ...['badges', 'badgesGranted', 'badgesMade', 'badgeImports', 'badgeRequests', 'badgesAskedFor'],
        ...['assistantLinks', 'assistantTokens', 'assistantSessionsOpened', 'assistantCommands'],
        ...['packages', 'packageNames'],
      ].sort(),
    )
    const wholes = Object.values(reply.body.held).map((section) => {
      const { truncated, records: held } = section as { truncated: boolean; records: object[] }
      return [truncated, held.length > 0]
    })
    expect(wholes.every(([truncated, some]) => truncated === false && some === true)).toBe(true)
  })

  test('tells what each section holds', () => {
    expect(records('media')).toEqual([
      expect.objectContaining({ kind: 'tournament_image', tournamentGuid: user.organised.guid }),
      {
        guid: user.avatar,
        kind: 'avatar',
        name: 'Ushuaia',
        type: 'image/webp',
        bytes: 1_000,
        tournamentGuid: null,
        teamGuid: null,
        platformGuid: null,
        durationMs: null,
        hasRightsConfirmed: false,
        width: 512,
        height: 512,
        createdAt: instant,
        updatedAt: instant,
        url: `${api.app.config.media.url}/media/${user.avatar}/full.webp`,
      },
    ])
    expect(records('identities')).toEqual([
      {
        platform: expect.stringMatching(/ranking-a|streaming/),
        externalId: expect.any(String),
        verifiedAt: instant,
        createdAt: instant,
      },
      {
        platform: expect.stringMatching(/ranking-a|streaming/),
        externalId: expect.any(String),
        verifiedAt: instant,
        createdAt: instant,
      },
    ])
    expect(records('rankingProfiles')).toEqual([
      {
        platform: 'ranking-a',
        externalId: '76561190000777777',
        name: 'Ushuaia',
        country: 'AR',
        rank: 77,
        fetchedAt: instant,
      },
    ])
    expect(records('emailVerifications')).toMatchObject([
      { email: 'other@ushuaia.example', requestedAt: instant, usedAt: null },
    ])
    expect(records('signIns')).toMatchObject([{ isWebsite: true, createdAt: instant, revokedAt: null }])
    expect(records('signInPlaces')).toEqual([{ lastSeenAt: instant }])
    expect(records('applications')).toMatchObject([
      {
        clientId: user.ownApplication.clientId,
        name: 'Overlay Editor',
        type: 'confidential',
        scopes: ['rest:read'],
        redirectUris: ['http://localhost/'],
      },
    ])
    expect(records('consents')).toMatchObject([{ clientId: user.grantedApplication.clientId, scopes: ['rest:write'] }])
    expect(records('grants')).toMatchObject([
      { clientId: user.grantedApplication.clientId, scopes: ['rest:write'], revokedAt: null },
    ])
    expect(records('tournaments')).toMatchObject([
      { guid: user.organised.guid, id: user.organised.id, status: 'completed' },
    ])
    expect(records('tournamentRoles')).toMatchObject([
      { tournamentGuid: user.coming.guid, role: 'role:caster', grantedByGuid: null },
    ])
    expect(records('platformMemberships')).toMatchObject([{ role: 'reviewer', addedAt: instant }])
    expect(records('visibilityDecisions')).toMatchObject([
      { tournamentGuid: user.played.guid, decision: 'approved', decidedAt: instant },
    ])
    expect(records('appearances')).toEqual([{ tournamentGuid: user.played.guid, firstAt: instant }])
    expect(records('answers')).toMatchObject([
      {
        tournamentGuid: user.played.guid,
        teamGuid: user.playedTeam.guid,
        response: 'Size of Ushuaia',
        answeredAt: instant,
      },
    ])
    expect(records('teams')).toMatchObject([
      { teamGuid: user.comingTeam.guid, name: 'The Rests', status: 'unregistered', isCaptain: true },
      {
        teamGuid: user.playedTeam.guid,
        name: "Zyzzyva Quill's team",
        status: 'registered',
        isCaptain: true,
        isActive: true,
      },
    ])
    expect(records('invitations')).toMatchObject([
      { tournamentGuid: user.played.guid, message: 'Come, Zyzzyva', status: 'pending' },
    ])
    expect(records('invitationsSent')).toMatchObject([
      { teamGuid: user.comingTeam.guid, message: 'Play with us?', status: 'pending' },
    ])
    expect(records('notifications')).toMatchObject([{ title: 'Hello Zyzzyva', readAt: null, createdAt: instant }])
    expect(records('availability')).toEqual([
      {
        tournamentGuid: user.coming.guid,
        sheetGuid: expect.any(String),
        role: 'role:caster',
        times: [
          {
            startsAt: '2026-05-01T18:00:00.000Z',
            endsAt: '2026-05-01T19:00:00.000Z',
            status: 'available',
            reason: 'Flight to Ushuaia',
          },
        ],
        matches: [],
        submittedAt: instant,
      },
    ])
    expect(records('availabilitySheets')).toMatchObject([{ tournamentGuid: user.coming.guid, title: 'Casting' }])
    expect(records('teamAvailability')).toMatchObject([
      { teamGuid: user.playedTeam.guid, times: [], submittedAt: instant },
    ])
    const match = { tournamentGuid: user.played.guid, matchGuid: expect.any(String) }
    expect(records('officialAssignments')).toEqual([{ ...match, role: 'role:referee', scheduledAt: null }])
    expect(records('gamesPlayed')).toEqual([{ ...match, number: 3, score: 900_000, accuracy: 0.97 }])
    expect(records('corrections')).toEqual([
      {
        ...match,
        guid: expect.any(String),
        reason: 'The wrong map.',
        createdAt: instant,
        teamGuid: null,
        undoneAt: null,
      },
    ])
    expect(records('qualifierAttempts')).toMatchObject([
      {
        tournamentGuid: user.played.guid,
        teamGuid: user.playedTeam.guid,
        score: 900,
        completion: 'passed',
        source: 'manual',
        playedAt: instant,
        voidedAt: instant,
        voidReason: 'Crashed.',
      },
    ])
    expect(records('scheduleProposals')).toEqual([
      { guid: expect.any(String), tournamentGuid: user.organised.guid, createdAt: instant, appliedAt: null },
    ])
    expect(records('packages')).toMatchObject([
      { tournamentGuid: user.organised.guid, variant: 'full', isPrivate: false, direction: 'export' },
    ])
    const deeds = records('activity').map(({ type }: { type: string }) => type)
    const others = deeds.filter((type: string) => !type.startsWith('flow.'))
    expect(others.slice(0, 3)).toEqual(['invitation.created', 'access.granted', 'team.registered'])
    expect(deeds).toEqual(
      expect.arrayContaining(['user.created', 'user.updated', 'session.started', 'application.created']),
    )
    expect(records('activity')[0]).toEqual({
      at: instant,
      type: 'invitation.created',
      subject: expect.any(String),
      tournament: user.coming.guid,
    })
  })

  test('names nobody else, and holds no secret and no hash of one', async () => {
    for (const name of ['quokka', 'wombat', 'numbat']) expect(reply.text).not.toContain(name)
    const secrets = await api.sql<{ secret: string }>(
      `select encode(secret_hash, 'hex') as secret from sessions union all
       select encode(secret_hash, 'hex') from applications where secret_hash is not null union all
       select encode(token_hash, 'hex') from email_verifications union all
       select encode(token_hash, 'hex') from refresh_tokens union all
       select encode(code_hash, 'hex') from authorization_codes union all
       select encode(device_code_hash, 'hex') from device_requests union all
       select user_code_seal from device_requests union all
       select place from sign_in_places`,
    )
    expect(secrets.length).toBeGreaterThanOrEqual(8)
    const all = [...secrets.map(({ secret }) => secret), user.ownApplication.clientSecret as string, user.token]
    for (const secret of all) expect(reply.text).not.toContain(secret)
    expect(reply.text).not.toMatch(/hash|webhook|proofCode|"Buffer"/i)
  })

  test('holds nothing of anybody else', async () => {
    const stranger = await api.user()
    const theirs = (await download(stranger)).body
    expect(theirs.profile.guid).toBe(stranger.guid)
    const held = Object.entries(theirs.held as Record<string, { records: object[] }>)
    expect(held.filter(([, section]) => section.records.length > 0).map(([name]) => name)).toEqual(['accessTokens'])
  })
})

test('a section ends after the newest ten thousand records, and says so', async () => {
  const busy = await api.user()
  await makeTournament(api, busy)
  await api.sql(
    `insert into notifications (user_guid, type, title, created_at)
     select $1, 'test', 'message ' || n, timestamptz '2026-01-01' + n * interval '1 s' from generate_series(1, 10000) n`,
    [busy.guid],
  )
  const whole = (await download(busy)).body.held.notifications
  expect([whole.truncated, whole.records.length]).toEqual([false, 10_000])
  await api.sql(`insert into notifications (user_guid, type, title) values ($1, 'test', 'one more')`, [busy.guid])
  const { notifications, tournaments } = (await download(busy)).body.held
  expect([notifications.truncated, notifications.records.length]).toEqual([true, 10_000])
  expect([notifications.records[0].title, notifications.records.at(-1).title]).toEqual(['one more', 'message 2'])
  expect([tournaments.truncated, tournaments.records.length]).toEqual([false, 1])
})
