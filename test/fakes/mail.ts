import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A mail server with real SMTP on loopback, which can misbehave. It keeps the accepted mails. */

export interface ReceivedMail {
  /** The sender and recipients in the SMTP commands, whatever the headers say. */
  readonly envelope: { readonly from: string; readonly to: readonly string[] }
  /** Whether it came over TLS, and the signed-in user. */
  readonly isSecure: boolean
  readonly user: string | null
  readonly source: string
  readonly parsed: Email
}

/**
 * - `refuse`: the recipient is refused with this code
 * - `refuseContent`: the mail is refused with this code after its content
 * - `drop`: the connection is destroyed after the content
 * - `slowMs`: the greeting is late
 */
export type Misbehaviour =
  | { readonly refuse: number }
  | { readonly refuseContent: number }
  | 'drop'
  | { readonly slowMs: number }

export interface FakeMailOptions {
  /** Any free port by default. */
  readonly port?: number
  /** Offers STARTTLS with an untrusted certificate. */
  readonly startTls?: boolean
  /** Accepts mail only after a sign-in with these. */
  readonly credentials?: { readonly user: string; readonly password: string }
}

export interface FakeMail extends AsyncDisposable {
  /** Without credentials. */
  readonly url: string
  readonly port: number
  readonly messages: readonly ReceivedMail[]
  /** The number of connections so far. */
  readonly connections: number
  /** Misbehaves until the returned function is called. */
  misbehave(how: Misbehaviour): () => void
  close(): Promise<void>
}

export async function startFakeMail(options: FakeMailOptions = {}): Promise<FakeMail> {
  const { credentials, startTls = false } = options
  const messages: ReceivedMail[] = []
  const sockets = new Set<Socket>()
  let connections = 0
  let how: Misbehaviour | null = null
  const told = <Kind extends 'refuse' | 'refuseContent' | 'slowMs'>(kind: Kind): number | null =>
    typeof how === 'object' && how !== null && kind in how ? (how as Record<Kind, number>)[kind] : null

  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }

  const smtp = new SMTPServer({
    logger: false,
    disableReverseLookup: true,
    allowInsecureAuth: true,
    disabledCommands: [...(startTls ? [] : ['STARTTLS']), ...(credentials === undefined ? ['AUTH'] : [])],
    onConnect(_session, done) {
      connections += 1
      void wait(told('slowMs') ?? 0).then(() => done())
    },
    onAuth({ username, password }, _session, done) {
      if (username === credentials?.user && password === credentials?.password) done(null, { user: username })
      else done(refusal(535, `who is ${username} with ${password}?`))
    },
    onRcptTo({ address }, _session, done) {
      const code = told('refuse')
      done(code === null ? null : refusal(code, `nobody knows ${address}`))
    },
    onData(stream, session, done) {
      void take(stream).then(async (source) => {
        if (how === 'drop') return destroyAll()
        const code = told('refuseContent')
        if (code !== null) return done(refusal(code, 'this is no mail for us'))
        const { mailFrom, rcptTo } = session.envelope
        messages.push({
          envelope: { from: mailFrom === false ? '' : mailFrom.address, to: rcptTo.map(({ address }) => address) },
          isSecure: session.secure,
          user: session.user ?? null,
          source,
          parsed: await PostalMime.parse(source),
        })
        done()
      })
    },
  })
  // Some tests close their connection in the middle.
  smtp.on('error', () => {})
  smtp.server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listening = smtp.listen(options.port ?? 0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo

  const close = async () => {
    destroyAll()
    if (listening.listening) await new Promise<void>((resolve) => smtp.close(() => resolve()))
  }
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    get connections() {
      return connections
    },
    misbehave(next) {
      how = next
      return () => {
        how = null
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

function refusal(responseCode: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode })
}

async function take(stream: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
