import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Browser } from '../../../../test/browser.ts'
import { atRest, hurry, mailTo, request, tokenFor, tokenIn } from '../../../../test/emails.ts'
import { type FakeMail, startFakeMail } from '../../../../test/fakes/mail.ts'
import { type Caller, type Harness, type Reply, startHarness } from '../../../../test/harness.ts'
import { remembered } from '../../../../test/make.ts'

let mail: FakeMail
let api: Harness
beforeAll(async () => {
  mail = await startFakeMail()
  api = await startHarness({
    mail: { url: mail.url, from: 'Downbeat <noreply@downbeat.example>' },
  })
})
afterAll(async () => {
  await atRest(api)
  await api[Symbol.asyncDispose]()
  await mail.close()
})

let sequence = 0
const newAddress = () => `player.${++sequence}@example.org`
const problem = (reply: Reply) => [reply.status, reply.headers.get('problem-code')]
const verify = (token: string) => api.post(`/email-verifications/${token}`, null)
const invalidLink = [400, 'email_verification.invalid']

async function emailOf(user: Caller) {
  const { email, emailVerified } = (await api.get('/users/@me', user)).body
  return { email, emailVerified }
}

describe('the whole way', () => {
  test('a mail arrives, its link shows a page, the page’s button verifies the address', async () => {
    const user = await api.user({ name: 'quaver' })
    const email = newAddress()
    const card = `/users/${user.guid}/card`
    expect((await remembered(api, card)).body.emailVerified).toBe(false)

    const askedAt = Date.now()
    const asked = await request(api, user, email)
    expect(asked.status).toBe(202)
    expect(asked.body).toEqual({ email, expiresAt: expect.stringMatching(/Z$/) })
    expect(Math.abs(Date.parse(asked.body.expiresAt) - askedAt - 86_400_000)).toBeLessThan(5_000)
    expect(await emailOf(user)).toEqual({ email: null, emailVerified: false })

    const received = await mailTo(mail, email)
    const { parsed, envelope } = received
    expect(envelope).toEqual({ from: 'noreply@downbeat.example', to: [email] })
    expect(parsed).toMatchObject({ to: [{ address: email }], from: { name: 'Downbeat' }, attachments: [] })
    const link = `${api.url}/api/email-verifications/${tokenIn(received)}`
    expect(parsed.text).toContain(link)
    expect(parsed.html).toContain(`<a href="${link}">${link}</a>`)
    expect(parsed.html).not.toMatch(/<img|<script|src=|url\(/)

    const browser = new Browser(api)
    const page = await browser.visit(link)
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.text).toContain('quaver')
    expect(page.text).toContain(`p…@example.org`)
    expect(page.text).not.toContain(email)
    expect(page.text).not.toContain('<script')
    const action = /<form method="post" action="([^"]+)">/.exec(page.text)?.[1] ?? ''
    const done = await browser.visit(new URL(action, link), {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    })
    expect([done.status, done.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(done.text).toContain('quaver')

    expect(await emailOf(user)).toEqual({ email, emailVerified: true })
    expect((await api.get(card)).body.emailVerified).toBe(true)
  })

  test('a program verifies with the token alone, and gets JSON', async () => {
    const user = await api.user()
    const email = newAddress()
    const reply = await verify(await tokenFor(api, mail, user, email))
    expect([reply.status, reply.body]).toEqual([200, { msg: expect.any(String) }])
    expect(await emailOf(user)).toEqual({ email, emailVerified: true })
  })

  test('it is written down as a change of the user, without the address', async () => {
    const user = await api.user()
    const email = newAddress()
    await verify(await tokenFor(api, mail, user, email))
    const events = await api.sql('select type, actor, subject from event_log where actor = $1 order by seq', [
      user.guid,
    ])
    expect(events).toMatchObject([
      { type: 'email.verification_requested' },
      { type: 'user.updated', subject: user.guid },
    ])
    const [row] = await api.sql<{ all: string }>('select string_agg(e::text, $1) as all from event_log e', ['\n'])
    expect(row?.all).not.toContain(email)
  })
})

describe('the link', () => {
  test('is not used up by whoever only opens it, however often', async () => {
    const user = await api.user()
    const token = await tokenFor(api, mail, user, newAddress())
    for (const method of ['GET', 'HEAD', 'GET']) {
      expect((await api.call(method, `/email-verifications/${token}`)).status).toBe(200)
    }
    expect((await emailOf(user)).emailVerified).toBe(false)
    expect((await verify(token)).status).toBe(200)
  })

  test('counts once', async () => {
    const user = await api.user()
    const token = await tokenFor(api, mail, user, newAddress())
    expect((await verify(token)).status).toBe(200)
    expect(problem(await verify(token))).toEqual(invalidLink)
    expect(problem(await api.get(`/email-verifications/${token}`))).toEqual(invalidLink)
    expect(problem(await api.post(`/email-verifications/${token}/confirm`, null))).toEqual(invalidLink)
  })

  test('counts once for many who use it at once, on several processes', async () => {
    await using sibling = await api.sibling()
    for (let round = 0; round < 5; round++) {
      const user = await api.user()
      const token = await tokenFor(api, mail, user, newAddress())
      const uses = await Promise.all(
        Array.from({ length: 12 }, (_, index) => {
          const path = `/email-verifications/${token}${index % 3 === 0 ? '/confirm' : ''}`
          return (index % 2 === 0 ? api : sibling).post(path, null)
        }),
      )
      expect(uses.filter(({ status }) => status === 200)).toHaveLength(1)
      expect(uses.filter((reply) => problem(reply).join() === invalidLink.join())).toHaveLength(11)
      const updates = await api.sql(`select from event_log where type = 'user.updated' and subject = $1`, [user.guid])
      expect(updates).toHaveLength(1)
    }
    await atRest(api)
  })

  test.each<[string, (guid: string) => Promise<unknown>]>([
    [
      'after 24 hours',
      (guid) => api.sql(`update email_verifications set expires_at = now() where user_guid = $1`, [guid]),
    ],
    ['of a banned user', (guid) => api.sql('update users set banned_at = now() where guid = $1', [guid])],
    [
      'of a user who gave up the account',
      (guid) => api.sql('update users set anonymised_at = now() where guid = $1', [guid]),
    ],
  ])('does not count %s', async (_when, arrange) => {
    const user = await api.user()
    const token = await tokenFor(api, mail, user, newAddress())
    await arrange(user.guid)
    expect(problem(await api.get(`/email-verifications/${token}`))).toEqual(invalidLink)
    expect(problem(await verify(token))).toEqual(invalidLink)
    expect(problem(await api.post(`/email-verifications/${token}/confirm`, null))).toEqual(invalidLink)
    expect(await api.sql('select email from users where guid = $1', [user.guid])).toEqual([{ email: null }])
  })

  test('no longer counts once a newer one was asked for', async () => {
    const user = await api.user()
    const [first, second] = [newAddress(), newAddress()]
    const old = await tokenFor(api, mail, user, first)
    const token = await tokenFor(api, mail, user, second)
    expect(problem(await verify(old))).toEqual(invalidLink)
    expect((await verify(token)).status).toBe(200)
    expect((await emailOf(user)).email).toBe(second)
  })

  test('of one user outlives what others ask for', async () => {
    const [user, other] = [await api.user(), await api.user()]
    const email = newAddress()
    const token = await tokenFor(api, mail, user, email)
    const theirs = await tokenFor(api, mail, other, email)
    expect([(await verify(token)).status, (await verify(theirs)).status]).toEqual([200, 200])
    expect([await emailOf(user), await emailOf(other)]).toEqual([
      { email, emailVerified: true },
      { email, emailVerified: true },
    ])
  })

  test('that never was is told nothing but that, whatever it is', async () => {
    const user = await api.user()
    const used = await tokenFor(api, mail, user, newAddress())
    await verify(used)
    const shownText = (await verify(used)).text
    const [row] = await api.sql<{ guid: string }>('select guid from email_verifications where user_guid = $1', [
      user.guid,
    ])
    const unknown = [
      'A'.repeat(43),
      'x',
      `${used}x`,
      used.toLowerCase(),
      row?.guid ?? '',
      '%27%20or%20true--',
      '%2e%2e%2f',
      'ü',
    ]
    for (const token of [...unknown, 'A'.repeat(3_000)]) {
      const reply = await verify(token)
      expect([...problem(reply), reply.text]).toEqual([...invalidLink, shownText])
      expect(problem(await api.get(`/email-verifications/${token}`))).toEqual(invalidLink)
    }
  })

  test('tells its errors in the form that was asked for, and on a page where people look', async () => {
    const plain = await verify('x')
    expect([plain.headers.get('content-type'), plain.text]).toEqual([
      'text/plain; charset=utf-8',
      expect.stringMatching(/^[A-Z].*\.$/),
    ])
    const json = await api.call('POST', '/email-verifications/x', { headers: { accept: 'application/json' } })
    expect(json.body).toEqual({ error: plain.text })
    for (const page of [
      await api.get('/email-verifications/x'),
      await api.post('/email-verifications/x/confirm', null),
    ]) {
      expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(page.text).toContain(plain.text)
      expect(page.headers.get('cache-control')).toBe('no-store')
    }
  })
})

describe('PUT /users/@me/email', () => {
  test('needs a token with the scope', async () => {
    const user = await api.user()
    expect(problem(await request(api, null, newAddress()))).toEqual([401, 'token.missing'])
    const token = await api.token(user, ['rest:user:read'])
    const reply = await api.call('PUT', '/users/@me/email', { token, body: { email: newAddress() } })
    expect(problem(reply)).toEqual([401, 'scope.missing'])
    const enough = await api.token(user, ['rest:user:write'])
    expect((await api.call('PUT', '/users/@me/email', { token: enough, body: { email: newAddress() } })).status).toBe(
      202,
    )
  })

  test.each([
    ['a line end in quotes', '"a\r\nBcc: victim@example.org"@example.org'],
    ['a tab in quotes', '"a\tb"@example.org'],
    ['quotes', '"quaver"@example.org'],
    ['a line end', 'quaver@example.org\r\nBcc: victim@example.org'],
    ['a NUL', 'quaver\u0000@example.org'],
    ['two addresses', 'a@example.org, victim@example.org'],
    ['a name', 'Quaver <quaver@example.org>'],
    ['another script', 'quaver@bücher.example'],
    ['a host of our own network', 'root@localhost'],
    ['an IP address', 'root@[127.0.0.1]'],
    ['300 characters', `${'a'.repeat(288)}@example.org`],
    ['nothing', ''],
    ['null', null],
    ['a number', 7],
    ['a list', ['quaver@example.org']],
  ])('refuses %s, and sends nothing', async (_what, email) => {
    const user = await api.user()
    const reply = await request(api, user, email)
    expect([reply.status, ['request.invalid', 'email.invalid']]).toEqual([
      400,
      expect.arrayContaining([reply.headers.get('problem-code')]),
    ])
    expect(await api.sql('select from email_verifications where user_guid = $1', [user.guid])).toEqual([])
  })

  test('says which member is missing', async () => {
    const reply = await api.put('/users/@me/email', await api.user(), {})
    expect([...problem(reply), reply.text]).toEqual([400, 'request.invalid', expect.stringContaining('"email"')])
  })

  test('takes an address of a domain in another script in its ASCII form', async () => {
    const user = await api.user()
    const email = 'quaver@xn--bcher-kva.example'
    expect((await request(api, user, email)).status).toBe(202)
    // The fake mail server decodes such domains into their own script.
    const received = await mailTo(mail, 'quaver@bücher.example')
    expect(received.parsed.to).toMatchObject([{ address: email }])
    expect((await verify(tokenIn(received))).status).toBe(200)
    expect((await emailOf(user)).email).toBe(email)
  })

  test('keeps the verified address until the new one is verified', async () => {
    const user = await api.user()
    const [first, second] = [newAddress(), newAddress()]
    await verify(await tokenFor(api, mail, user, first))
    const token = await tokenFor(api, mail, user, second)
    expect(await emailOf(user)).toEqual({ email: first, emailVerified: true })
    await verify(token)
    expect(await emailOf(user)).toEqual({ email: second, emailVerified: true })
  })

  test('has nothing to send where the address is verified already, and takes back what was under way', async () => {
    const user = await api.user()
    const [email, other] = [newAddress(), newAddress()]
    await verify(await tokenFor(api, mail, user, email))
    const token = await tokenFor(api, mail, user, other)
    const reply = await request(api, user, email)
    expect([reply.status, reply.body]).toEqual([202, { email, expiresAt: null }])
    expect(problem(await verify(token))).toEqual(invalidLink)
    await hurry(api)
    await tokenFor(api, mail, await api.user(), newAddress())
    expect(mail.messages.filter(({ envelope }) => envelope.to.includes(email))).toHaveLength(1)
  })

  test('sends a mail where the same address is not verified', async () => {
    const user = await api.user()
    const email = newAddress()
    await api.sql('update users set email = $2 where guid = $1', [user.guid, email])
    expect((await verify(await tokenFor(api, mail, user, email))).status).toBe(200)
    expect(await emailOf(user)).toEqual({ email, emailVerified: true })
  })

  test('answers the same whether the address is somebody else’s or nobody’s', async () => {
    const [owner, user] = [await api.user(), await api.user()]
    const [taken, free] = [newAddress(), newAddress()]
    await verify(await tokenFor(api, mail, owner, taken))
    const [first, second] = [await request(api, user, taken), await request(api, user, free)]
    expect([first.status, Object.keys(first.body)]).toEqual([second.status, Object.keys(second.body)])
    expect([first.body.email, second.body.email]).toEqual([taken, free])
    expect(await emailOf(owner)).toEqual({ email: taken, emailVerified: true })
  })

  test('leaves one link that counts, however many are asked for at once', async () => {
    const user = await api.user()
    const replies = await Promise.all(Array.from({ length: 8 }, () => request(api, user, newAddress())))
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(202))
    const open = await api.sql(
      'select from email_verifications where user_guid = $1 and voided_at is null and used_at is null',
      [user.guid],
    )
    expect(open).toHaveLength(1)
  })
})
