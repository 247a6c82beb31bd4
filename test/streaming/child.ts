import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** A program that ends with this process, however that ends. */
export function startChild(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Of all systems, Linux alone sees to it.
  if (process.platform !== 'linux') return spawn(program, args, options)
  return spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], options)
}
