import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** Runs the code in a process of its own, because the log is written to standard output. */
async function logged(code: string): Promise<{ lines: Record<string, unknown>[]; text: string }> {
  const program = `
    import { createLogs } from ${JSON.stringify(path.join(import.meta.dirname, 'log.ts'))}
    const { log, requests } = createLogs('info')
    ${code}`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  const lines = stdout.split('\n').filter((line) => line !== '')
  return { lines: lines.map((line) => JSON.parse(line)), text: stdout }
}

test('each line is an object with level and time, all are written before the process ends, and none below the level', async () => {
  const { lines } = await logged(`
    for (let index = 0; index < 500; index++) requests.info({ reqId: String(index), op: 'users.card' }, 'request')
    log.debug('not this one')
    process.exit(0)`)
  // Lines flushed at the end may overtake a line that was just being written.
  const written = lines.toSorted((a, b) => Number(a.reqId) - Number(b.reqId))
  expect(written.map(({ reqId }) => reqId)).toEqual(Array.from({ length: 500 }, (_, index) => String(index)))
  expect(written[0]).toEqual({
    level: 30,
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    reqId: '0',
    op: 'users.card',
    msg: 'request',
  })
})

test('members that may hold secrets are hidden, at the top and one below', async () => {
  const { text, lines } = await logged(`
    log.info({ token: 'hunter2', headers: { authorization: 'Bearer hunter2', cookie: 'a=hunter2', accept: 'shown' } })
    log.info({ user: { email: 'hunter2@example.org', name: 'shown' }, chatWebhookUrl: 'https://x/hunter2' })`)
  expect(text).not.toContain('hunter2')
  expect(lines[0]).toMatchObject({ token: '[redacted]', headers: { authorization: '[redacted]', accept: 'shown' } })
  expect(lines[1]).toMatchObject({ user: { email: '[redacted]', name: 'shown' }, chatWebhookUrl: '[redacted]' })
})

test('an error tells what and where, and nothing of the values that a statement was given', async () => {
  const { text, lines } = await logged(`
    const cause = Object.assign(new Error('duplicate key'), {
      code: '23505', constraint: 'users_name', table: 'users', detail: 'Key (name)=(hunter2) already exists.',
    })
    log.error({ err: new Error('Failed query: insert into users\\nparams: hunter2', { cause }) }, 'failed')
    log.error({ err: 'thrown text' })`)
  expect(text).not.toContain('hunter2')
  expect(lines[0]).toMatchObject({
    level: 50,
    msg: 'failed',
    err: {
      type: 'Error',
      message: 'Failed query: insert into users',
      stack: expect.stringMatching(/^ +at /),
      cause: { message: 'duplicate key', code: '23505', constraint: 'users_name', table: 'users' },
    },
  })
  expect(lines[1]).toMatchObject({ err: { message: 'thrown text' } })
})
