import { execSync, spawn } from 'node:child_process'
import { startService } from './service.ts'
import { load, over } from './load.ts'
import { makePlayer, makeTeams, makeTournaments } from './world.ts'
const s = await startService()
try {
  const o = await makePlayer(s.runtime)
  const entriesOf = async (n: number) => { const out: any[] = []; for (let k = 0; k < 50; k++) { const c = await makePlayer(s.runtime); out.push(...(await makeTeams(s.runtime, await makeTournaments(s.runtime, o.guid, n / 50), c.guid)).map((e) => ({ ...e, t: c.token }))) } await s.runtime.database.pool.query('analyze'); return out }
  const run = (entries: any[]) => load(s.url, over(entries, ({ tournament, team, t }) => ({ method: 'POST' as const, path: `/api/tournaments/${tournament}/register/${team}`, token: t })), 32)
  console.log('warm', await run(await entriesOf(1500)))
  console.log('plain', await run(await entriesOf(1500)))
  { const { listUserFacts } = await import('../src/features/users/store.ts'); const e0 = (await entriesOf(50))[0]; await listUserFacts(s.runtime.database.db, [e0.captain]); await listUserFacts(s.runtime.database.db, [e0.captain]);
  for (let k = 0; k < 4; k++) { const c = s.runtime.database.db.session.client as any; const ps = (await c.query("select parameter_types::text t from pg_prepared_statements where name='users.facts'")).rows[0]; if (!ps) continue
  const args = ps.t.replace(/[{}]/g,'').split(',').map((x: string)=> x==='uuid[]' ? `'{${e0.captain}}'` : "'ranking-a'").join(',')
  console.log((await c.query(`explain (analyze, buffers off) execute "users.facts"(${args})`)).rows.map((r: any) => r['QUERY PLAN']).join('\n')); break } }
  if (process.argv[2]) { 
  await s.runtime.database.pool.query("alter database downbeat set log_min_duration_statement = 0")
  await s.runtime.database.pool.query("select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'downbeat%' and pid<>pg_backend_pid()").catch(() => {})
  await new Promise((r) => setTimeout(r, 3000)) }
  const e = await entriesOf(1500)
  const vm = spawn('vmstat', ['1', '4'], { stdio: ['ignore', 'inherit', 'ignore'] })
  console.log('logged', await run(e))
  execSync("cp $(ls -t /tmp/downbeat-bench-*/postgres/*.log | head -1) /tmp/pglog.txt")
} finally { await s.close() }
