import { notifyManager } from '@tanstack/react-query'

/** What arrives within one frame is shown by one render, at most a frame later: topics often bring several answers at once. (W8) */

const frameMs = 16

let due: (() => void)[] = []
let shownAt = 0

function showAll(): void {
  const shown = due
  due = []
  shownAt = performance.now()
  for (const show of shown) show()
}

/** By a timer, since hidden tabs have no frames. */
export function showByFrame(): void {
  notifyManager.setScheduler((show) => {
    if (due.push(show) === 1) setTimeout(showAll, Math.max(0, shownAt + frameMs - performance.now()))
  })
}
