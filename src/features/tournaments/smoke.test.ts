import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Harness, startHarness } from '../../../test/harness.ts'
import { makeTournament } from '../../../test/make.ts'
let api: Harness
beforeAll(async () => { api = await startHarness() })
afterAll(() => api[Symbol.asyncDispose]())
test('x', async () => {
  const q = await api.user({ name: 'quaver' })
  const c = await api.post('/tournaments', q, { name: 'Spring Cup', id: 'Spring-Cup', startsAt: '2026-05-01T18:00Z', additionalFields: [{label:'a', type:'text'}] })
  console.log(c.status, c.text)
  const r = await api.get('/tournaments/spring-cup', q)
  console.log(r.status, r.text, r.headers)
  console.log((await api.get('/tournaments/spring-cup?include=staff,timeline,teams,matches', q)).text)
  console.log((await api.get('/tournaments/spring-cup')).text)
  const t = await makeTournament(api, q, {startsAt: new Date('2026-05-05T00:00:00Z')})
  console.log((await api.get('/tournaments')).text)
  console.log((await api.get('/tournaments?status=approved,ongoing')).text)
  console.log((await api.get('/tournaments?q=cup&from=2026-05-01T18:00Z&participant=@me&organiser=@me&registration=open', q)).text)
  console.log((await api.get('/tournaments?q=cup&from=2026-05-01T18:00Z&organiser=@me&registration=open', q)).text)
  console.log((await api.patch('/tournaments/spring-cup', q, {name: 'x', links: {website:'https://a.b'}, chatWebhookUrl: 'https://discord.com/api/webhooks/1/ab'})).text)
  console.log((await api.patch('/tournaments/spring-cup', q, {links: {we:'https://a.b'}})).text)
  console.log((await api.get('/tournaments/spring-cup/audit', q)).text)
  console.log((await api.post('/tournaments/spring-cup/status', q, {status:'approved'})).text)
  console.log((await api.post(`/tournaments/${t.id}/status`, q, {status:'ongoing'})).text)
  console.log((await api.post(`/tournaments/${t.id}/organiser`, q, {userIdentifier:'@me'})).text)
  console.log((await api.delete(`/tournaments/${t.id}`, q)).text)
  console.log((await api.delete(`/tournaments/spring-cup`, q)).status)
})
