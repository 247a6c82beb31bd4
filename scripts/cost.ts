import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** What a run of the checks and tests costs: one line for each run is kept, so that runs can be compared. */

const record = 'node_modules/.cache/test-runs.jsonl'

/** Processor time in seconds. */
export interface ProcessorTime {
  readonly user: number
  readonly sys: number
}

export interface Run {
  /** False when only what a change can affect was run. */
  readonly whole: boolean
  readonly passed: boolean
  /** The number of test files that ran. */
  readonly files: number
  readonly flaky: readonly string[]
}

/** The kernel counts processor time in hundredths of a second, whatever the machine. */
const ticksPerSecond = 100

/**
 * Reads what Linux counts for this process, and for all processes below it that have ended. `process.resourceUsage`
 * counts this process alone.
 * @returns null on other systems
 */
export function processorTime(): ProcessorTime | null {
  try {
    return processorTimeOf(readFileSync('/proc/self/stat', 'utf8'))
  } catch {
    return null
  }
}

/** @param stat the line of `/proc/self/stat`: the name of the program, in brackets, may hold spaces */
export function processorTimeOf(stat: string): ProcessorTime {
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  // utime, stime, cutime and cstime are the fields 14 to 17, and the first one here is field 3.
  const [user = 0, sys = 0, endedUser = 0, endedSys = 0] = fields.slice(11, 15)
  return { user: (user + endedUser) / ticksPerSecond, sys: (sys + endedSys) / ticksPerSecond }
}

/** `test run: 12 min 3 s, 1,745 processor seconds (user 1,500 + sys 245)` */
export function costLine(seconds: number, time: ProcessorTime | null): string {
  const whole = Math.round(seconds)
  const took = `test run: ${Math.floor(whole / 60)} min ${whole % 60} s`
  if (time === null) return `${took}, processor seconds unknown on this system`
  const [user, sys] = [Math.round(time.user), Math.round(time.sys)]
  const count = (value: number) => value.toLocaleString('en')
  return `${took}, ${count(user + sys)} processor seconds (user ${count(user)} + sys ${count(sys)})`
}

/** Prints what the run cost, and adds it to the record. */
export function printCost(run: Run, seconds: number): void {
  const time = processorTime()
  console.log(`\n${costLine(seconds, time)}`)
  const commit = spawnSync('git', ['describe', '--always', '--dirty', '--exclude=*'], { encoding: 'utf8' }).stdout
  const line = {
    date: new Date().toISOString(),
    commit: commit?.trim() || null,
    ...run,
    seconds: Math.round(seconds),
    user: time?.user ?? null,
    sys: time?.sys ?? null,
  }
  mkdirSync(path.dirname(record), { recursive: true })
  appendFileSync(record, `${JSON.stringify(line)}\n`)
}
