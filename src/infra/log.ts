import { destination, type LoggerOptions, type Logger as PinoLogger, pino } from 'pino'

export type Logger = PinoLogger

/** Members that may carry a secret, at any place of a logged object. */
const secretMembers = [
  'authorization',
  'cookie',
  'token',
  'accessToken',
  'access_token',
  'refresh_token',
  'secret',
  'clientSecret',
  'client_secret',
  'password',
  'codeVerifier',
  'chatWebhookUrl',
  'chatWebhooks',
  'proofCode',
  'email',
]

export interface Logs {
  readonly log: Logger
  /**
   * For lines with only our own members: it skips the search for secrets, which costs a busy service a tenth of its
   * time.
   */
  readonly requests: Logger
}

/** The maximum number of characters in the buffer. */
const maxUnwritten = 4 * 1024 ** 2

/** One JSON object per line on standard output. */
export function createLogs(level: string): Logs {
  const settings: LoggerOptions = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    serializers: { err: describeError },
  }
  // Lines are buffered while one is written, and flushed when the process ends; when nothing reads the output, some are
  // lost.
  const output = destination({ dest: 1, sync: false, maxLength: maxUnwritten })
  const paths = secretMembers.flatMap((name) => [name, `*.${name}`])
  return {
    log: pino({ ...settings, redact: { paths, censor: '[redacted]' } }, output),
    requests: pino(settings, output),
  }
}

/** The frames of the stack without the message, because a stack repeats the whole message. */
function framesOf(error: Error): string | undefined {
  const frames = error.stack?.split('\n').filter((line) => /^ +at /.test(line))
  return frames?.slice(0, 11).join('\n')
}

/** The error without values of statements and driver details, because they contain what users sent. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error).slice(0, 500) }
  const cause = error.cause instanceof Error ? describeError(error.cause) : undefined
  const { code, constraint, table } = error as Error & { code?: unknown; constraint?: unknown; table?: unknown }
  // Drizzle's messages end with the values of the failed statement.
  const message = error.message.split('\nparams:')[0]
  return {
    type: error.name,
    message,
    code,
    constraint,
    table,
    stack: framesOf(error),
    cause,
  }
}
