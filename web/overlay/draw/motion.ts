import type { Motion } from '../../../src/engine/scenes/document.ts'

/** Animations of transform, opacity and clip-path only: other properties would cause a layout in each frame. (OV5) */

const curves: Readonly<Record<NonNullable<Motion['easing']>, string>> = {
  linear: 'linear',
  ease: 'ease',
  easeIn: 'cubic-bezier(0.55, 0, 1, 0.45)',
  easeOut: 'cubic-bezier(0.16, 1, 0.3, 1)',
  easeInOut: 'cubic-bezier(0.65, 0, 0.35, 1)',
  overshoot: 'cubic-bezier(0.34, 1.56, 0.64, 1)',
}

export const defaultMs = 450
const defaultEasing = 'easeOut'

/** The start of a movement in each direction. */
const origins = { left: [1, 0], right: [-1, 0], up: [0, 1], down: [0, -1] } as const
const clips = {
  right: 'inset(0 100% 0 0)',
  left: 'inset(0 0 0 100%)',
  down: 'inset(0 0 100% 0)',
  up: 'inset(100% 0 0 0)',
} as const
const open = 'inset(0 0 0 0)'

/**
 * The keyframes from invisible to visible.
 * @param reach the distance of a slide, in CSS
 */
function entering({ kind, direction }: Motion, reach: readonly [x: string, y: string]): Keyframe[] | null {
  const [x, y] = origins[direction ?? 'up']
  switch (kind) {
    case 'none':
      return null
    case 'slide':
      return [
        { opacity: 0, transform: `translate(calc(${reach[0]} * ${x}), calc(${reach[1]} * ${y}))` },
        { opacity: 1, transform: 'none' },
      ]
    case 'scale':
      return [
        { opacity: 0, transform: 'scale(0.86)' },
        { opacity: 1, transform: 'none' },
      ]
    case 'wipe':
      return [{ clipPath: clips[direction ?? 'right'] }, { clipPath: open }]
    case 'flip':
      return [
        { opacity: 0, transform: 'perspective(1200px) rotateX(-80deg)' },
        { opacity: 1, transform: 'perspective(1200px) rotateX(0deg)' },
      ]
    default:
      return [{ opacity: 0 }, { opacity: 1 }]
  }
}

/** An exit moves on in the direction of the motion. */
const opposite = { left: 'right', right: 'left', up: 'down', down: 'up' } as const

function leaving(motion: Motion, reach: readonly [string, string]): Keyframe[] | null {
  const { kind, direction } = motion
  const isTurned = kind === 'slide' || kind === 'wipe'
  const turned = isTurned && direction !== undefined ? { ...motion, direction: opposite[direction] } : motion
  return entering(turned, reach)?.reverse() ?? null
}

export interface Played {
  readonly finished: Promise<unknown>
  cancel(): void
}

function timing({ durationMs = defaultMs, delayMs = 0, easing = defaultEasing }: Motion): KeyframeAnimationOptions {
  return { duration: durationMs, delay: delayMs, easing: curves[easing] ?? curves.ease, fill: 'backwards' }
}

/** @returns null when nothing moves */
export function play(
  node: HTMLElement,
  motion: Motion,
  way: 'enter' | 'exit',
  reach: readonly [string, string] = ['48px', '48px'],
): Played | null {
  const frames = way === 'enter' ? entering(motion, reach) : leaving(motion, reach)
  if (frames === null || (motion.durationMs === 0 && !motion.delayMs)) return null
  const options = timing(motion)
  const animation = node.animate(frames, way === 'exit' ? { ...options, fill: 'both' } : options)
  return { finished: animation.finished.catch(() => {}), cancel: () => animation.cancel() }
}

/** Plays the animation of a change once. */
export function playChange(node: HTMLElement, motion: Motion): void {
  if (motion.kind === 'none' || motion.kind === 'count') return
  const pulse: Keyframe[] = [{ transform: 'none' }, { transform: 'scale(1.12)', offset: 0.3 }, { transform: 'none' }]
  const roll = entering({ ...motion, kind: 'slide' }, ['100%', '100%'])
  const frames = motion.kind === 'pulse' ? pulse : motion.kind === 'roll' ? roll : entering(motion, ['24px', '24px'])
  if (frames !== null) node.animate(frames, timing(motion))
}

/** Counts from one number to another, with one step in each frame. */
export class Counting {
  #from = 0
  #to: number | null = null
  #begunAt = 0

  /** @param ms the duration */
  readonly #ms: number

  constructor(ms: number) {
    this.#ms = ms
  }

  /** The number to show now. */
  at(now: number, target: number, isStill: boolean): number {
    if (this.#to === null || isStill) {
      this.#from = target
      this.#begunAt = -Infinity
    } else if (this.#to !== target) {
      this.#from = this.#shown(now)
      this.#begunAt = now
    }
    this.#to = target
    return this.#shown(now)
  }

  isMoving(now: number): boolean {
    return now - this.#begunAt < this.#ms
  }

  #shown(now: number): number {
    const to = this.#to ?? 0
    const share = Math.min(1, (now - this.#begunAt) / this.#ms)
    return share >= 1 ? to : this.#from + (to - this.#from) * (1 - (1 - share) ** 3)
  }
}
