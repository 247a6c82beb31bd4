/** Playing over WebRTC: one request with an offer, whose answer is all there is to know. (WHEP, draft-ietf-wish-whep) */

import { start } from './sound.ts'

/** What plays; calling it ends that. */
export type Stop = () => void

/** @throws where nothing is to be had by this way now */
export type Open = (address: string, video: HTMLVideoElement, onLost: () => void, signal: AbortSignal) => Promise<Stop>

/** Milliseconds: what is not there by then does not come. */
export const patienceMs = 8_000
/** So long ways to here are gathered that the offer names. */
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
    // The server would find out by itself, later.
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

/** Resolves when a picture is there. */
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
