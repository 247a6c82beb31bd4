import { setTimeout as wait } from 'node:timers/promises'

/** Until what is read has stayed the same for so long: what was under way has come, however busy the machine is. */
export async function quiet(read: () => unknown, ms = 500): Promise<void> {
  let last = JSON.stringify(read())
  for (let since = performance.now(); performance.now() - since < ms; ) {
    await wait(20)
    const now = JSON.stringify(read())
    if (now !== last) since = performance.now()
    last = now
  }
}
