import type { NodemailerError } from 'nodemailer'
import { Unreachable, type UnreachableReason } from './http.ts'

/** Outgoing mail over SMTP: one deadline over everything, nothing in any log, and errors that quote nothing. */

export interface Mail {
  /** The address alone, without a name. */
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

export interface MailClient {
  /**
   * Resolves once the server has accepted the mail.
   *
   * @throws MailRefused when another attempt cannot help
   * @throws Unreachable when it may help
   */
  send(mail: Mail): Promise<void>
  /**
   * Connects and, with credentials, signs in.
   * @throws Unreachable
   */
  ping(): Promise<void>
}

/**
 * The server will never accept this mail. The message contains the server and its status, but neither the address nor
 * the server's text.
 */
export class MailRefused extends Error {
  override readonly name = 'MailRefused'

  constructor(host: string, verdict: number | string) {
    super(`${host}: the mail was refused for good (${verdict})`)
  }
}

export interface MailClientOptions {
  /** `smtp:` or `smtps:`, with credentials and options as nodemailer reads them. */
  readonly url: string
  /** An address, with or without a name. */
  readonly from: string
  /** The time from the call until the server has accepted the mail. */
  readonly timeoutMs: number
}

export function createMailClient({ url, from, timeoutMs }: MailClientOptions): MailClient {
  let opened: ReturnType<typeof openTransport> | undefined
  const open = () => {
    opened ??= openTransport(url, timeoutMs)
    return opened
  }
  return {
    async send({ to, subject, text, html }) {
      const { transport, host } = await open()
      const signal = AbortSignal.timeout(timeoutMs)
      const headers = { 'auto-submitted': 'auto-generated' }
      // As an object it is always one address; a text could be read as several.
      const message = { from, to: { name: '', address: to }, subject, text, html, headers, signal }
      await transport.sendMail(message).catch((error: unknown) => {
        throw explained(error, host)
      })
    },
    async ping() {
      const { transport, host } = await open()
      await Promise.race([transport.verify(), deadline(timeoutMs, host)]).catch((error: unknown) => {
        throw explained(error, host)
      })
    },
  }
}

/** The library is loaded with the first mail, so that a service without mail need not keep it in memory. */
async function openTransport(url: string, timeoutMs: number) {
  const [{ createTransport }, { parseConnectionUrl }] = await Promise.all([
    import('nodemailer'),
    import('nodemailer/lib/shared'),
  ])
  const settings = parseConnectionUrl(url)
  const transport = createTransport({
    // Credentials are sent over TLS only, unless the address says otherwise.
    requireTLS: settings.auth !== undefined,
    ...settings,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    // The transmitted data contains credentials and links.
    logger: false,
    debug: false,
  })
  return { transport, host: settings.host ?? 'localhost' }
}

function deadline(timeoutMs: number, host: string): Promise<never> {
  return new Promise((_resolve, reject) => {
    setTimeout(() => reject(new Unreachable('timeout', host)), timeoutMs).unref()
  })
}

/**
 * The library's error codes. Nothing else of its errors is kept, because they quote addresses and the server's text.
 */
const reasons: Readonly<Record<string, UnreachableReason>> = {
  EABORT: 'timeout',
  ETIMEDOUT: 'timeout',
  EDNS: 'dns',
  ESOCKET: 'refused',
  ETLS: 'refused',
  ECONNECTION: 'reset',
  EPROTOCOL: 'invalid_answer',
}

const resets: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE'])

function explained(error: unknown, host: string): unknown {
  if (!(error instanceof Error) || error instanceof Unreachable) return error
  const { code, originalCode, command, responseCode, permanent } = error as NodemailerError
  if (code === undefined) return error
  if (permanent && (command === 'RCPT TO' || command === 'DATA')) return new MailRefused(host, responseCode ?? code)
  // Without a status the server was not asked: the envelope is invalid.
  if (code === 'EENVELOPE' && responseCode === undefined) return new MailRefused(host, code)
  const reason = resets.has(originalCode ?? '') ? 'reset' : (reasons[code] ?? 'failing')
  return new Unreachable(reason, host, responseCode ? { status: responseCode } : { code: originalCode ?? code })
}
