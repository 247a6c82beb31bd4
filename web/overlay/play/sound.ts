/**
 * Browsers play sound only after a click or key press, unless they are configured otherwise, as broadcasting programs
 * are.
 */

let isRefused = false

/** After a refusal, sound is not tried before a click or key press: each try would stop the picture. */
function maySound(): boolean {
  return !isRefused || navigator.userActivation.hasBeenActive
}

/**
 * Plays the video, without sound if the browser refuses sound. A video that was paused meanwhile is not started again.
 */
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
  // Browsers that refuse sound stop a silent video when it is unmuted.
  if (wasPlaying && video.paused) start(video)
}
