import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { costLine, processorTimeOf } from './cost.ts'

test('processor time is that of the process and of those below it', () => {
  const stat =
    '4711 (a name) of it) S 1 4711 4711 0 -1 4194560 1000 2000 3 4 1100 200 50000 4300 20 0 11 0 123456 789 321\n'
  expect(processorTimeOf(stat)).toEqual({ user: 511, sys: 45 })
})

test.runIf(process.platform === 'linux')('the system counts processes of processes once they have ended', () => {
  const busy = 'while (process.cpuUsage().user < 300_000);'
  const script = `
    import { spawnSync } from 'node:child_process'
    import { processorTime } from ${JSON.stringify(new URL('./cost.ts', import.meta.url).href)}
    const shell = \`"\${process.execPath}" -e "${busy}"; true\`
    const before = processorTime().user
    spawnSync('sh', ['-c', shell])
    console.log(processorTime().user - before)`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' })
  expect(Number(stdout)).toBeGreaterThan(0.2)
})

test.each<[number, { user: number; sys: number } | null, string]>([
  [723.4, { user: 1500.2, sys: 244.9 }, 'test run: 12 min 3 s, 1,745 processor seconds (user 1,500 + sys 245)'],
  [59.6, { user: 1, sys: 0 }, 'test run: 1 min 0 s, 1 processor seconds (user 1 + sys 0)'],
  [5, null, 'test run: 0 min 5 s, processor seconds unknown on this system'],
])('%s seconds', (seconds, time, line) => {
  expect(costLine(seconds, time)).toBe(line)
})
