/** Browsers play no sound that nobody asked for, unless they are told to, as broadcasting programs tell theirs. */

let isRefused = false

/** Once it was refused, not before somebody clicks or types: asked for again and again, the picture would stop each time. */
function maySound(): boolean {
  return !isRefused || navigator.userActivation.hasBeenActive
}

/** Where the sound is not let through, the picture is. Interrupted by a pause, it is not begun again. */
export function start(video: HTMLVideoElement): void {
  video.play().catch((error: unknown) => {
    if (video.muted || !(error instanceof DOMException) || error.name !== 'NotAllowedError') return
    isRefused = true
    video.muted = true
    video.play().catch(() => {})
  })
}

export function hear(video: HTMLVideoElement, isHeard: boolean): void {
  const wasPlaying = !video.paused
  video.muted = !(isHeard && maySound())
  // What played silently is stopped by browsers that do not let its sound through.
  if (wasPlaying && video.paused) start(video)
}
