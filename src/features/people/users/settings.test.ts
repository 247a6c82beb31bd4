import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'

let api: Harness
beforeAll(async () => {
  api = await startHarness()
})
afterAll(() => api[Symbol.asyncDispose]())

const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const save = (as: Caller | null, body: unknown) => api.post('/updateUserSettings', as, body)
const own = async (user: Caller) => (await api.get('/users/@me', user)).body

describe('POST /updateUserSettings', () => {
  test('saves every setting', async () => {
    const user = await api.user()
    const settings = {
      description: 'I **play**.',
      pronouns: 'they/them',
      pronunciation: 'KWAY-ver',
      headset: 'Index',
      grip: 'claw',
      preferredName: 'Quaver ♪',
      controllers: 'knuckles',
      avatarUrl: 'https://cdn.example.org/me.png',
    }
    const reply = await save(user, settings)
    expect([reply.status, reply.body]).toEqual([200, { msg: expect.any(String) }])
    expect(await own(user)).toMatchObject(settings)
  })

  test('leaves alone what is not named; an empty text unsets', async () => {
    const user = await api.user()
    await save(user, { pronouns: 'she/her', headset: 'Quest', description: 'Hi' })
    await save(user, { headset: '', description: ' ' })
    expect(await own(user)).toMatchObject({ pronouns: 'she/her', headset: null, description: '' })
  })

  test('members that it does not know are ignored, and do not count', async () => {
    const user = await api.user()
    const reply = await save(user, { pronouns: 'he/him', username: 'root', globalRoles: ['role:owner'], isBot: true })
    expect(reply.status).toBe(200)
    expect(await own(user)).toMatchObject({
      pronouns: 'he/him',
      username: user.username,
      isBot: false,
      permissions: [],
    })
    expect(problem(await save(user, { username: 'root' }))).toEqual([400, 'settings.none'])
    expect(problem(await save(user, {}))).toEqual([400, 'settings.none'])
  })

  test.each([
    ['description', 20_000],
    ['pronouns', 40],
    ['pronunciation', 80],
    ['headset', 100],
    ['grip', 100],
    ['preferredName', 64],
    ['controllers', 100],
  ])('%s may have %i characters and not one more', async (name, limit) => {
    const user = await api.user()
    expect((await save(user, { [name]: '♪'.repeat(limit) })).status).toBe(200)
    expect((await own(user))[name]).toBe('♪'.repeat(limit))
    expect(problem(await save(user, { [name]: '♪'.repeat(limit + 1) }))).toEqual([400, 'request.invalid'])
    expect((await own(user))[name]).toBe('♪'.repeat(limit))
  })

  test('a name of the longest characters fits', async () => {
    const user = await api.user()
    expect((await save(user, { preferredName: '👩'.repeat(64) })).status).toBe(200)
    expect((await api.get(`/users?q=${encodeURIComponent('👩👩')}`)).body.users).toHaveLength(1)
  })

  test.each([
    ['a number', { pronouns: 5 }, 'request.invalid'],
    ['null', { pronouns: null }, 'request.invalid'],
    ['a list', { headset: ['Index'] }, 'request.invalid'],
    ['an empty name', { preferredName: '' }, 'settings.invalid'],
    ['a blank name', { preferredName: ' \n ' }, 'settings.invalid'],
    ['a name of nothing to see', { preferredName: '\u200b\u2060' }, 'settings.invalid'],
    ['a name of fillers', { preferredName: '\u3164\u115f' }, 'settings.invalid'],
    ['a name of blanks', { preferredName: '\u2800\u180e' }, 'settings.invalid'],
    ['a name of tag characters', { preferredName: '\u{e0041}' }, 'settings.invalid'],
    ['a pronunciation that runs backwards', { pronunciation: 'abc\u202edef' }, 'request.invalid'],
    ['NUL', { pronouns: 'a\u0000b' }, 'request.invalid'],
    ['a control character', { grip: 'a\u001bb' }, 'request.invalid'],
    ['reversed text', { preferredName: 'abc\u202edef' }, 'request.invalid'],
    ['half a character', { preferredName: 'a\ud800' }, 'request.invalid'],
    ['no avatar', { avatarUrl: '' }, 'settings.invalid'],
    ['a relative avatar', { avatarUrl: '/me.png' }, 'settings.invalid'],
    ['a script as avatar', { avatarUrl: 'javascript:alert(1)' }, 'settings.invalid'],
    ['data as avatar', { avatarUrl: 'data:image/png;base64,AAAA' }, 'settings.invalid'],
    ['an avatar with a password', { avatarUrl: 'https://a:b@example.org/x.png' }, 'settings.invalid'],
    ['a long avatar', { avatarUrl: `https://example.org/${'x'.repeat(2_000)}` }, 'request.invalid'],
  ])('%s is refused, and nothing is saved', async (_what, body, code) => {
    const user = await api.user()
    const before = await own(user)
    expect(problem(await save(user, { controllers: 'touch', ...body }))).toEqual([400, code])
    expect(await own(user)).toEqual(before)
  })

  test('all but the description stands on one line', async () => {
    const user = await api.user()
    await save(user, {
      preferredName: 'two\nlines',
      pronouns: 'a\t b',
      pronunciation: ' KWAY\n-ver ',
      headset: 'a\r\nb',
      description: 'first\n\nsecond',
    })
    expect(await own(user)).toMatchObject({
      preferredName: 'two lines',
      pronouns: 'a b',
      pronunciation: 'KWAY -ver',
      headset: 'a b',
      description: 'first\n\nsecond',
    })
  })

  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '[click](javascript:alert(1))',
    '[click](JaVaScRiPt:alert(1))',
    '[click](&#106;avascript:alert(1))',
    '<a href="data:text/html,<script>1</script>">x</a>',
    '<iframe src="https://example.org"></iframe>',
    '![x](javascript:alert(1))',
  ])('a description loses what is unsafe: %s', async (unsafe) => {
    const user = await api.user()
    expect((await save(user, { description: `before ${unsafe} after` })).status).toBe(200)
    const { description } = await own(user)
    expect(description).toContain('before')
    expect(description).toContain('after')
    expect(description).not.toMatch(/<script|onerror=|javascript:|<iframe|data:text\/html|&#106;/i)
    expect((await api.get(`/users/${user.guid}/card`)).body.bio).not.toMatch(/[<>]|javascript:/i)
  })

  test.each(['<a=', '<p ', '![<a ', '<!--', '](foo:x) '])(
    'a description full of %j stays within its limit, and can be saved as it was read',
    async (unit) => {
      const user = await api.user()
      const description = unit.repeat(20_000 / unit.length)
      expect((await save(user, { description })).status).toBe(200)
      const stored = (await own(user)).description
      expect(Array.from(stored).length).toBeLessThanOrEqual(20_000)
      expect((await save(user, { description: stored })).status).toBe(200)
      expect((await own(user)).description).toBe(stored)
    },
  )

  test('needs a token, which is 400 here when it is missing and 401 when it is wrong or too narrow', async () => {
    const user = await api.user()
    const body = { pronouns: 'x' }
    const missing = await save(null, body)
    expect(problem(missing)).toEqual([400, 'token.missing'])
    expect(missing.headers.get('www-authenticate')).toBe('Bearer')
    const wrong = await api.call('POST', '/updateUserSettings', { token: 'abc', body })
    expect(problem(wrong)).toEqual([401, 'token.invalid'])
    expect(wrong.headers.get('www-authenticate')).toContain('error="invalid_token"')
    const narrow = await api.call('POST', '/updateUserSettings', { token: await api.token(user, ['rest:read']), body })
    expect(problem(narrow)).toEqual([401, 'scope.missing'])
    const enough = await api.token(user, ['rest:user:write'])
    expect((await api.call('POST', '/updateUserSettings', { token: enough, body })).status).toBe(200)
  })
})
