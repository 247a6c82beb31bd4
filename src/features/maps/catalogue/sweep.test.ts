import { expect, test } from 'vitest'
import { startHarness } from '../../../../test/harness.ts'
import { catalogueJobs } from './jobs.ts'

test('what the catalogue did not have is forgotten after a month, what it had never', async () => {
  await using api = await startHarness()
  await api.sql(
    `insert into catalogue_answers (question, answer, answered_at) values
       ('key:1', null, now() - interval '31 days'), ('key:2', 'null', now() - interval '31 days'),
       ('key:3', null, now() - interval '29 days'), ('key:4', '{"key":"4"}', now() - interval '400 days')`,
  )
  const sweep = catalogueJobs.find(({ name }) => name === 'catalogue.sweep')
  const { database, services, clients, log } = api.app
  await sweep?.run({}, { database, services, clients, log, now: () => new Date() })
  expect(await api.sql('select question from catalogue_answers order by question')).toEqual([
    { question: 'key:3' },
    { question: 'key:4' },
  ])
})
