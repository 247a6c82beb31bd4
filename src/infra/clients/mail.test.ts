import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type FakeMail, startFakeMail } from '../../../test/fakes/mail.ts'
import { Unreachable } from './http.ts'
import { createMailClient, type Mail, MailRefused } from './mail.ts'

const from = 'Downbeat <noreply@downbeat.example>'
const mail: Mail = {
  to: 'quaver@example.org',
  subject: 'Hello',
  text: 'See https://example.org/secret-path',
  html: '<p>See <a href="https://example.org/secret-path">this</a></p>',
}

let fake: FakeMail
beforeEach(async () => {
  fake = await startFakeMail()
})
afterEach(() => fake.close())

const clientOf = (url: string, timeoutMs = 5_000) => createMailClient({ url, from, timeoutMs })

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => null,
    (error: unknown) => error,
  )
}

describe('a mail', () => {
  it('arrives with both its texts, from and to whom it should', async () => {
    await clientOf(fake.url).send(mail)
    const [received] = fake.messages
    expect(received?.envelope).toEqual({ from: 'noreply@downbeat.example', to: ['quaver@example.org'] })
    expect(received?.parsed).toMatchObject({
      from: { name: 'Downbeat', address: 'noreply@downbeat.example' },
      to: [{ name: '', address: 'quaver@example.org' }],
      subject: 'Hello',
      attachments: [],
    })
    expect(received?.parsed.text?.trim()).toBe(mail.text)
    expect(received?.parsed.html?.trim()).toBe(mail.html)
  })

  it('says that no person wrote it, so that no machine answers it, and names no software', async () => {
    await clientOf(fake.url).send(mail)
    const headers = new Map(fake.messages[0]?.parsed.headers.map(({ key, value }) => [key, value]))
    expect(headers.get('auto-submitted')).toBe('auto-generated')
    expect(headers.has('x-mailer')).toBe(false)
  })

  it('cannot be given headers, recipients or commands by what is in it', async () => {
    const hostile = 'Hi\r\nBcc: victim@example.org\r\n\r\nbody'
    await clientOf(fake.url).send({ ...mail, subject: hostile, text: 'a\r\n.\r\nRSET\r\nMAIL FROM:<x@example.org>' })
    const [received] = fake.messages
    expect(fake.messages).toHaveLength(1)
    expect(received?.envelope.to).toEqual(['quaver@example.org'])
    expect(received?.parsed.bcc).toBeUndefined()
    expect(received?.parsed.subject).toContain('Hi')
    expect(received?.parsed.text).toContain('RSET')
  })

  it.each([
    'a@example.org, victim@example.org',
    'a@example.org>\r\nRCPT TO:<victim@example.org',
    '"a\r\nBcc: victim@example.org"@example.org',
    'Name <victim@example.org>',
    'group: victim@example.org;',
    '',
  ])('never reaches anybody but the one address: %j', async (to) => {
    await faultOf(clientOf(fake.url).send({ ...mail, to }))
    for (const { envelope, parsed } of fake.messages) {
      expect(envelope.to).not.toContain('victim@example.org')
      expect([...(parsed.to ?? []), ...(parsed.cc ?? []), ...(parsed.bcc ?? [])].length).toBeLessThanOrEqual(1)
    }
  })
})

describe('with credentials', () => {
  const credentials = { user: 'postman', password: 'very secret' }
  const withCredentials = (url: string, password = 'very%20secret') => url.replace('//', `//postman:${password}@`)

  it('the mail goes over TLS, signed in', async () => {
    await using secure = await startFakeMail({ startTls: true, credentials })
    await clientOf(`${withCredentials(secure.url)}?tls.rejectUnauthorized=false`).send(mail)
    expect(secure.messages[0]).toMatchObject({ isSecure: true, user: 'postman' })
  })

  it('nothing is sent where there is no TLS', async () => {
    await using open = await startFakeMail({ credentials })
    const error = await faultOf(clientOf(withCredentials(open.url)).send(mail))
    expect(error).toBeInstanceOf(Unreachable)
    expect(open.messages).toEqual([])
  })

  it('unless the operator wants it so', async () => {
    await using open = await startFakeMail({ credentials })
    await clientOf(`${withCredentials(open.url)}?requireTLS=false`).send(mail)
    expect(open.messages[0]).toMatchObject({ isSecure: false, user: 'postman' })
  })

  it('nothing is sent to a server whose certificate nobody trusts', async () => {
    await using secure = await startFakeMail({ startTls: true, credentials })
    const error = await faultOf(clientOf(withCredentials(secure.url)).send(mail))
    expect(error).toMatchObject({ name: 'Unreachable', reason: 'refused' })
    expect(secure.messages).toEqual([])
  })

  it('a wrong password is told without it', async () => {
    await using secure = await startFakeMail({ startTls: true, credentials })
    const client = clientOf(`${withCredentials(secure.url, 'hunter2')}?tls.rejectUnauthorized=false`)
    for (const work of [client.send(mail), client.ping()]) {
      const error = (await faultOf(work)) as Error
      expect(error).toMatchObject({ reason: 'failing', status: 535 })
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/hunter2|postman|quaver/)
    }
  })
})

/** A server that handles its connections with `onConnection`. */
async function rawServer(onConnection: (socket: Socket) => void): Promise<AsyncDisposable & { url: string }> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}))
    onConnection(socket)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

describe('a server that gives no use', () => {
  it.each([
    ['refuses the recipient for good', { refuse: 550 }],
    ['refuses the mail for good', { refuseContent: 554 }],
  ])('%s: there is no point in trying again', async (_what, how) => {
    fake.misbehave(how)
    expect(await faultOf(clientOf(fake.url).send(mail))).toBeInstanceOf(MailRefused)
  })

  it.each([
    ['refuses the recipient for now', { refuse: 450 }, { reason: 'failing', status: 450 }],
    ['refuses the mail for now', { refuseContent: 451 }, { reason: 'failing', status: 451 }],
    ['drops the connection', 'drop' as const, { reason: 'reset' }],
  ])('%s: later it may work', async (_what, how, expected) => {
    const behave = fake.misbehave(how)
    expect(await faultOf(clientOf(fake.url).send(mail))).toMatchObject({ name: 'Unreachable', ...expected })
    behave()
    await clientOf(fake.url).send(mail)
    expect(fake.messages).toHaveLength(1)
  })

  it('is not there', async () => {
    await fake.close()
    const error = await faultOf(clientOf(fake.url).send(mail))
    expect(error).toMatchObject({ name: 'Unreachable', reason: 'refused', host: '127.0.0.1' })
    expect((error as Error).message).toBe('127.0.0.1: no connection could be made (ECONNREFUSED)')
  })

  it('has a name that does not exist', async () => {
    const error = await faultOf(clientOf('smtp://mail.invalid').send(mail))
    expect(error).toMatchObject({ name: 'Unreachable', reason: 'dns', host: 'mail.invalid' })
  })

  it('speaks something else', async () => {
    await using web = await rawServer((socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
    expect(await faultOf(clientOf(web.url).send(mail))).toMatchObject({ reason: 'invalid_answer' })
  })

  it.each<[string, (socket: Socket) => void]>([
    ['never greets', () => {}],
    [
      'greets a byte at a time',
      (socket) => {
        const drip = setInterval(() => socket.write('2'), 50)
        socket.on('close', () => clearInterval(drip))
      },
    ],
    [
      'answers each command just before the patience for it ends',
      (socket) => {
        socket.write('220 hello\r\n')
        socket.on('data', () => setTimeout(() => socket.write('250-more\r\n'), 150).unref())
      },
    ],
  ])('%s: the deadline holds for everything together', async (_what, onConnection) => {
    await using slow = await rawServer(onConnection)
    const client = clientOf(slow.url, 300)
    for (const work of [() => client.send(mail), () => client.ping()]) {
      const startedAt = performance.now()
      expect(await faultOf(work())).toMatchObject({ name: 'Unreachable', reason: 'timeout' })
      expect(performance.now() - startedAt).toBeLessThan(2_000)
    }
  })

  it('says in its errors who the mail was for, which ours do not repeat', async () => {
    for (const how of [{ refuse: 550 }, { refuse: 450 }, { refuseContent: 554 }]) {
      fake.misbehave(how)
      const error = (await faultOf(clientOf(fake.url).send(mail))) as Error
      expect(`${error.message} ${error.stack} ${JSON.stringify(error)} ${error.cause}`).not.toMatch(
        /quaver|secret-path/,
      )
    }
  })
})

it('waits for a server that lets strangers wait, as long as there is time', async () => {
  fake.misbehave({ slowMs: 400 })
  expect(await faultOf(clientOf(fake.url, 100).send(mail))).toMatchObject({ reason: 'timeout' })
  await clientOf(fake.url).send(mail)
  expect(fake.messages).toHaveLength(1)
})

it('a check connects, and sends nothing', async () => {
  await clientOf(fake.url).ping()
  expect([fake.connections, fake.messages.length]).toEqual([1, 0])
  await fake.close()
  expect(await faultOf(clientOf(fake.url).ping())).toMatchObject({ name: 'Unreachable', reason: 'refused' })
})
