/** Plays WebRTC: a single request with an offer, and its answer. (WHEP, draft-ietf-wish-whep) */

import { start } from './sound.ts'

/** Stops playing. */
export type Stop = () => void

/** @throws when the stream cannot be played in this way now */
export type Open = (address: string, video: HTMLVideoElement, onLost: () => void, signal: AbortSignal) => Promise<Stop>

/** The time limit for the first picture, in milliseconds. */
export const patienceMs = 8_000
/** How long to gather ICE candidates for the offer, in milliseconds. */
const gatherMs = 400

export const openWhep: Open = async (address, video, onLost, signal) => {
  const peer = new RTCPeerConnection()
  let place: string | null = null
  let isOver = false
  const stop = () => {
    if (isOver) return
    isOver = true
    peer.close()
    video.srcObject = null
    // Tells the server, which would otherwise notice only later.
    if (place !== null) fetch(place, { method: 'DELETE', credentials: 'omit', keepalive: true }).catch(() => {})
  }
  signal.addEventListener('abort', stop, { once: true })
  try {
    peer.addTransceiver('video', { direction: 'recvonly' })
    peer.addTransceiver('audio', { direction: 'recvonly' })
    const stream = new MediaStream()
    peer.addEventListener('track', ({ track }) => stream.addTrack(track))
    await peer.setLocalDescription()
    await gathered(peer)
    const reply = await fetch(address, {
      method: 'POST',
      headers: { 'content-type': 'application/sdp', accept: 'application/sdp' },
      body: peer.localDescription?.sdp ?? '',
      credentials: 'omit',
      signal,
    })
    if (!reply.ok) throw new Error(`the media server answered ${reply.status}`)
    const location = reply.headers.get('location')
    place = location === null ? null : new URL(location, address).href
    await peer.setRemoteDescription({ type: 'answer', sdp: await reply.text() })
    video.srcObject = stream
    await playing(video, signal)
    peer.addEventListener('connectionstatechange', () => {
      if (!isOver && ['failed', 'disconnected', 'closed'].includes(peer.connectionState)) onLost()
    })
    return stop
  } catch (error) {
    stop()
    throw error
  }
}

function gathered(peer: RTCPeerConnection): Promise<void> {
  if (peer.iceGatheringState === 'complete') return Promise.resolve()
  return new Promise((resolve) => {
    setTimeout(resolve, gatherMs)
    peer.addEventListener('icegatheringstatechange', () => peer.iceGatheringState === 'complete' && resolve())
  })
}

/** Resolves when the video shows a picture. */
export function playing(video: HTMLVideoElement, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (end: () => void) => {
      clearTimeout(timer)
      clearInterval(look)
      video.removeEventListener('error', fail)
      signal.removeEventListener('abort', fail)
      end()
    }
    const fail = () => done(() => reject(new Error('nothing came')))
    const timer = setTimeout(fail, patienceMs)
    const look = setInterval(() => {
      if (video.readyState >= 2 && video.videoWidth > 0) done(resolve)
    }, 100)
    video.addEventListener('error', fail)
    signal.addEventListener('abort', fail)
    start(video)
  })
}
