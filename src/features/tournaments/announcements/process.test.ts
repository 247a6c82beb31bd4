import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type MadeBracket, makeBracket } from '../../../../test/bracket-play.ts'
import { type FakeChatWebhooks, type FakeWebhook, startFakeChatWebhooks } from '../../../../test/fakes/chat-webhook.ts'
import { freePort, type Harness, startHarness } from '../../../../test/harness.ts'
import { type Env, type Service, startService } from '../../../../test/kernel/service.ts'
import { chatWebhookConfig } from '../../../../test/updates.ts'

/** The service is killed while it announces, and started again. */

let chat: FakeChatWebhooks
let harness: Harness
let pool: pg.Pool
let env: Env
let cups: readonly { readonly made: MadeBracket; readonly webhook: FakeWebhook }[]
let service: Service | null = null

beforeAll(async () => {
  chat = await startFakeChatWebhooks()
  harness = await startHarness({ chat: chatWebhookConfig(chat) })
  const { databaseUrl, dataDir, publicUrl } = harness.app.config
  pool = new pg.Pool({ connectionString: databaseUrl as string })
  pool.on('error', () => {})
  env = {
    DATABASE_URL: databaseUrl as string,
    DATA_DIR: dataDir,
    PUBLIC_URL: publicUrl,
    DISCORD_API_URL: chat.apiUrl,
    LOG_LEVEL: 'warn',
  }
  cups = await Promise.all(
    [1, 2].map(async () => {
      const made = await makeBracket(harness, { teams: 4, format: 'single_elimination' })
      const webhook = chat.addWebhook()
      await harness.sql('update tournaments set chat_webhook_url = $1, announcements = $2 where guid = $3', [
        webhook.url,
        { match_started: 'main' },
        made.cup.guid,
      ])
      return { made, webhook }
    }),
  )
  // The separate process replaces the harness's own one, so that only it announces.
  await harness.app.close()
})
afterAll(async () => {
  await pool.end()
  await harness[Symbol.asyncDispose]()
  await chat.close()
})
afterEach(() => service?.[Symbol.asyncDispose]())

async function begin(): Promise<void> {
  service = await startService({ ...env, PORT: String(await freePort()) })
}

async function start({ made }: (typeof cups)[number], number: number): Promise<void> {
  const response = await fetch(`${service?.url}/api${made.match(number)}/start`, {
    method: 'POST',
    headers: { authorization: `Bearer ${made.organiser.token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(response.status).toBe(200)
}

async function kill(): Promise<void> {
  service?.signal('SIGKILL')
  expect((await service?.exit)?.signal).toBe('SIGKILL')
}

const within = { timeout: 60_000, interval: 50 }

test('what was not said yet is said once by the next process, and what was under way is not lost', async () => {
  const [unsaid, going] = cups as [(typeof cups)[number], (typeof cups)[number]]
  await begin()
  // Of one tournament the request is on its way when the process dies; of the other nothing is written yet.
  const gate = Promise.withResolvers<void>()
  const behave = chat.misbehave(/POST/, async (_request, proper) => {
    const answer = proper()
    gate.resolve()
    await new Promise(() => {})
    return answer
  })
  await start(going, 1)
  await gate.promise
  behave()
  await start(unsaid, 1)
  const matters = () =>
    pool.query('select from announcement_matters where tournament_guid = $1', [unsaid.made.cup.guid])
  await expect.poll(async () => (await matters()).rowCount, within).toBe(1)
  await kill()
  expect(unsaid.webhook.made).toEqual([])
  await begin()
  await expect.poll(() => unsaid.webhook.made.length, within).toBe(1)
  const open = () => pool.query(`select from chat_deliveries where status <> 'delivered'`)
  await expect.poll(async () => (await open()).rowCount, within).toBe(0)
  // The answer was lost, so the message was sent again, and says so.
  const texts = going.webhook.made.map(({ content }) => content)
  expect([texts.length, new Set(texts).size]).toEqual([2, 1])
  await start(unsaid, 2)
  await expect.poll(() => unsaid.webhook.made.length, within).toBe(2)
})
