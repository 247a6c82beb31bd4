import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'

/** Starts a program that ends with this process, however that ends. */
export function startChild(program: string, args: readonly string[], options: SpawnOptions): ChildProcess {
  // Only Linux supports this.
  if (process.platform !== 'linux') return spawn(program, args, options)
  return spawn('setpriv', ['--pdeathsig', 'KILL', program, ...args], options)
}
