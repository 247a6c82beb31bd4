/**
 * The steps of storing an upload, in order. A process may be killed after any of them without leaving an inconsistency.
 * (M12)
 */
export const uploadSteps = ['received', 'decoded', 'written', 'synced', 'renamed', 'kept', 'committed'] as const
export type UploadStep = (typeof uploadSteps)[number]

/** Kills this process immediately at the step that a test names, like a power failure. */
export function dyingAt(step: UploadStep | null): (reached: UploadStep) => void {
  return (reached) => {
    if (reached === step) process.kill(process.pid, 'SIGKILL')
  }
}
