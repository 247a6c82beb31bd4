import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { nobody } from '../../../../test/world.ts'

let api: Harness
let owner: Caller
let developer: Caller
beforeAll(async () => {
  api = await startHarness()
  owner = await api.user({ name: 'owner', globalRoles: ['role:owner'] })
  developer = await api.user({ name: 'developer', globalRoles: ['role:dev'] })
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const instant = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
const patch = (user: { readonly guid: string }, body: unknown, as: Caller | null = owner) =>
  api.patch(`/admin/users/${user.guid}`, as, body)
const read = async (user: Caller) => (await api.get(`/admin/users/${user.guid}`, owner)).body

/** Reads everything that is stored about a user, to check that nothing changed. */
async function stored(user: Caller) {
  const [record] = await api.sql('select * from users where guid = $1', [user.guid])
  const links = await api.sql('select * from identities where user_guid = $1 order by platform', [user.guid])
  return { record, links }
}

const fresh = (user: Caller) => ({
  guid: user.guid,
  chatPlatformId: user.chatPlatformId,
  username: user.username,
  preferredName: user.username,
  avatarUrl: expect.stringMatching(/^https:/),
  description: '',
  badges: [],
  permissions: [],
  pronouns: null,
  pronunciation: null,
  headset: null,
  grip: null,
  controllers: null,
  country: null,
  rankingIdA: null,
  rankingIdB: null,
  streamingName: null,
  email: null,
  emailVerified: false,
  isBot: false,
  isPlaceholder: false,
  joinedAt: instant,
  globalRoles: [],
  bannedAt: null,
  banReason: null,
})

describe('PATCH /admin/users/{identifier}', () => {
  test('changes every member that there is, and answers with the account', async () => {
    const user = await api.user()
    const body = {
      username: 'renamed',
      preferredName: 'Renamed',
      description: 'I play.\n\n<script>alert(1)</script>',
      pronouns: 'he/him',
      headset: 'Quest',
      grip: 'palm',
      controllers: 'touch',
      avatarUrl: 'https://cdn.example.org/new.png',
      country: 'DE',
      streamingName: 'renamed_live',
      rankingIdA: '76561198444444444',
      rankingIdB: '8881',
      email: 'renamed@example.org',
      emailVerified: true,
      isBot: true,
      roles: ['global:notices:manage', 'global:badges:manage'],
      banned: true,
      banReason: 'Sold its place.',
    }
    const { roles: _, banned: __, ...plain } = body
    const reply = await patch(user, body, developer)
    expect(reply.status).toBe(200)
    expect(reply.body).toEqual({
      ...fresh(user),
      ...plain,
      description: expect.not.stringContaining('<script'),
      globalRoles: ['global:badges:manage', 'global:notices:manage'],
      permissions: [
        { role: 'global:badges:manage', scope: 'global', tournament: null },
        { role: 'global:notices:manage', scope: 'global', tournament: null },
      ],
      bannedAt: instant,
      ...{ streamKeys: [], emailVerificationRequests: [], liveStreams: 0, controlledAssistants: 0 },
      // The ban has ended what there was.
      access: { websites: 0, clients: 0, applications: 0, tokens: 0 },
    })
    expect(await read(user)).toEqual(reply.body)
    const card = (await api.get(`/users/${user.guid}/card`)).body
    expect(card).toMatchObject({ username: 'renamed', country: 'DE', rankingIdA: '76561198444444444', isBot: true })
  })

  test('leaves alone what it does not name, and unsets what it names as null', async () => {
    const user = await api.user()
    const set = {
      pronouns: 'x',
      pronunciation: 'x',
      headset: 'x',
      country: 'FR',
      rankingIdA: '9991',
      streamingName: 'x',
      email: 'x@y.org',
    }
    await patch(user, set)
    expect((await patch(user, { grip: 'claw' })).body).toMatchObject({ ...set, grip: 'claw' })
    const unset = {
      pronouns: null,
      pronunciation: null,
      headset: null,
      country: null,
      rankingIdA: null,
      streamingName: null,
      email: null,
    }
    expect((await patch(user, unset)).body).toMatchObject({ ...unset, grip: 'claw' })
    expect(problem(await api.get('/users/9991'))).toEqual([404, 'user.unknown'])
    expect((await patch(user, { grip: '' })).body.grip).toBeNull()
  })

  test('a remembered card shows the change at once', async () => {
    const user = await api.user()
    const card = async () => (await api.get(`/users/${user.guid}/card`)).body.preferredName
    expect(await card()).toBe(user.username)
    await patch(user, { preferredName: 'Other' })
    expect(await card()).toBe('Other')
  })

  test('a name stands on one line', async () => {
    const user = await api.user()
    const { body } = await patch(user, { username: 'two\n lines', preferredName: ' tab\tbed ' })
    expect(body).toMatchObject({ username: 'two lines', preferredName: 'tab bed' })
  })

  test.each([
    ['nothing', {}, 'account.nothing_to_change'],
    ['an unknown member', { isBot: true, admin: true }, 'request.unknown_member'],
    ['a member that is not to be set', { guid: nobody }, 'request.unknown_member'],
    ['the chat identity', { chatPlatformId: '1' }, 'request.unknown_member'],
    ['no object', ['isBot'], 'request.invalid'],
    ['an empty username', { username: ' ' }, 'settings.invalid'],
    ['no username', { username: null }, 'request.invalid'],
    ['a username of 101 characters', { username: 'x'.repeat(101) }, 'request.invalid'],
    ['a control character', { username: 'a\u0000b' }, 'request.invalid'],
    ['a reversed name', { preferredName: 'a\u202eb' }, 'request.invalid'],
    ['an empty preferred name', { preferredName: '' }, 'settings.invalid'],
    ['a preferred name of 65 characters', { preferredName: 'x'.repeat(65) }, 'request.invalid'],
    ['a long description', { description: 'x'.repeat(20_001) }, 'request.invalid'],
    ['an avatar that is no address', { avatarUrl: 'javascript:alert(1)' }, 'settings.invalid'],
    ['a country in lower case', { country: 'de' }, 'account.invalid'],
    ['a country that is none', { country: 'XX' }, 'account.invalid'],
    ['a country of three letters', { country: 'DEU' }, 'request.invalid'],
    ['a ranking ID with letters', { rankingIdA: '12a' }, 'account.invalid'],
    ['an empty ranking ID', { rankingIdB: '' }, 'account.invalid'],
    ['a ranking ID of 21 digits', { rankingIdB: '1'.repeat(21) }, 'request.invalid'],
    ['a ranking ID as a number', { rankingIdA: 12 }, 'request.invalid'],
    ['a streaming name with a slash', { streamingName: 'a/b' }, 'account.invalid'],
    ['no e-mail address', { email: 'nobody' }, 'request.invalid'],
    ['a long e-mail address', { email: `${'x'.repeat(243)}@example.org` }, 'request.invalid'],
    ['an e-mail address in quotes, which could hold anything', { email: '"a b"@example.org' }, 'email.invalid'],
    ['an e-mail address at a bare host', { email: 'nobody@localhost' }, 'email.invalid'],
    ['a verified e-mail without one', { emailVerified: true }, 'account.email_missing'],
    ['a verified e-mail while it is removed', { email: null, emailVerified: true }, 'account.email_missing'],
    ['isBot as text', { isBot: 'true' }, 'request.invalid'],
    ['roles that there are not', { roles: ['role:king'] }, 'request.invalid'],
    ['a role of tournaments', { roles: ['role:admin'] }, 'request.invalid'],
    ['a role twice', { roles: ['global:users:read', 'global:users:read'] }, 'request.invalid'],
    ['a role as text', { roles: 'global:users:read' }, 'request.invalid'],
    ['banned as null', { banned: null }, 'request.invalid'],
    ['a reason without a ban', { banReason: 'Because.' }, 'account.ban_reason_stray'],
    ['a reason for an unban', { banned: false, banReason: 'Because.' }, 'account.ban_reason_stray'],
    ['a long reason', { banned: true, banReason: 'x'.repeat(501) }, 'request.invalid'],
  ])('%s is refused and changes nothing, whatever else is right', async (_what, body, code) => {
    const user = await api.user()
    const before = await stored(user)
    const good = Object.keys(body).length === 0 || Array.isArray(body) ? {} : { headset: 'Index', rankingIdA: '5151' }
    expect(problem(await patch(user, Array.isArray(body) ? body : { ...good, ...body }))).toEqual([400, code])
    expect(await stored(user)).toEqual(before)
  })

  test.each(['rankingIdA', 'rankingIdB', 'streamingName'])(
    '%s of another user is 400 and changes nothing',
    async (name) => {
      const [holder, user] = await Promise.all([api.user(), api.user()])
      const taken = { [name]: `42${name.length}${name.charCodeAt(8)}` }
      expect((await patch(holder, taken)).status).toBe(200)
      const before = await stored(user)
      expect(problem(await patch(user, { preferredName: 'Thief', ...taken }))).toEqual([400, 'identity.taken'])
      expect(await stored(user)).toEqual(before)
      expect((await patch(holder, taken)).status).toBe(200)
      expect((await patch(holder, { [name]: null })).status).toBe(200)
      expect((await patch(user, taken)).body).toMatchObject(taken)
    },
  )

  test('of several who are given one ID at the same time, one gets it', async () => {
    const users = await Promise.all(Array.from({ length: 6 }, () => api.user()))
    const replies = await Promise.all(users.map((user) => patch(user, { rankingIdA: '616161' })))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
    const links = await api.sql(`select user_guid from identities where external_id = '616161'`)
    expect(links).toHaveLength(1)
  })

  test('a link that is set displaces unproven claims to the same account', async () => {
    const [claimant, user] = await Promise.all([api.user(), api.user()])
    await api.sql(`insert into identities (user_guid, platform, external_id) values ($1, 'ranking-a', '717171')`, [
      claimant.guid,
    ])
    expect((await patch(user, { rankingIdA: '717171' })).body.rankingIdA).toBe('717171')
    expect((await stored(claimant)).links).toEqual([])
  })

  test('another e-mail address has to be verified again, the same one has not', async () => {
    const user = await api.user()
    const outcome = async (body: object) => {
      const reply = await patch(user, body)
      return [reply.body.email, reply.body.emailVerified]
    }
    expect(await outcome({ email: 'a@example.org' })).toEqual(['a@example.org', false])
    expect(await outcome({ emailVerified: true })).toEqual(['a@example.org', true])
    expect(await outcome({ email: 'a@example.org' })).toEqual(['a@example.org', true])
    expect(await outcome({ email: 'b@example.org' })).toEqual(['b@example.org', false])
    expect(await outcome({ email: 'c@example.org', emailVerified: true })).toEqual(['c@example.org', true])
    expect(await outcome({ emailVerified: false })).toEqual(['c@example.org', false])
    expect(await outcome({ email: null })).toEqual([null, false])
  })
})
