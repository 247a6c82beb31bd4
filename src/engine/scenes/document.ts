import type { Condition } from './conditions.ts'
import type { Format } from './formatters.ts'
import type { Plain } from './values.ts'

/**
 * The document that defines how an overlay looks. It contains no code and no markup: texts are set as plain text, and
 * pictures are own media. (OV1, OV9)
 */

export const sceneRoles = [
  'start',
  'teamIntro',
  'pickBan',
  'gameplay',
  'summary',
  'break',
  'casters',
  'bracket',
  'schedule',
  'standings',
  'qualifier',
  'winners',
  'other',
] as const
export type SceneRole = (typeof sceneRoles)[number]

export const elementTypes = [
  'text',
  'image',
  'video',
  'shape',
  'group',
  'list',
  'bar',
  'pips',
  'timer',
  'mapCard',
  'pickBans',
  'bracket',
  'standings',
  'schedule',
  'casters',
  'stream',
] as const
export type ElementType = (typeof elementTypes)[number]

export const motionKinds = ['none', 'fade', 'slide', 'scale', 'wipe', 'flip', 'count', 'roll', 'pulse'] as const
export const easings = ['linear', 'ease', 'easeIn', 'easeOut', 'easeInOut', 'overshoot'] as const

export interface Motion {
  readonly kind: (typeof motionKinds)[number]
  readonly direction?: 'up' | 'down' | 'left' | 'right'
  readonly durationMs?: number
  readonly delayMs?: number
  readonly easing?: (typeof easings)[number]
}

export interface Binding {
  /** The property of the element that is bound; its type must allow this. */
  readonly property: string
  /** Path in the tree; inside a list it may also begin with `item.` or `index`. */
  readonly path: string
  readonly format?: readonly Format[]
  /** Shown if there is no value at the path. */
  readonly fallback?: Plain
}

/** `#rrggbb`, `#rrggbbaa`, or `var(name)` for a variable of the document. */
export type Color = string

export interface SceneElement {
  readonly type: ElementType
  readonly name: string
  /** Id of the group or list that contains the element; x and y count from its corner. */
  readonly parent?: string | null
  readonly order: string
  /** Position and size, in pixels of the canvas. */
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
  /** Rotation in degrees, clockwise. */
  readonly rotation?: number
  readonly opacity?: number
  readonly visible?: boolean
  readonly locked?: boolean
  readonly keepAspect?: boolean
  readonly mask?: {
    readonly shape?: 'none' | 'rectangle' | 'ellipse' | 'parallelogram'
    readonly radius?: number
    readonly skew?: number
  }
  readonly border?: { readonly width?: number; readonly color?: Color }
  readonly shadow?: { readonly x?: number; readonly y?: number; readonly blur?: number; readonly color?: Color }
  /** Properties that depend on the type of the element. */
  readonly props?: Readonly<Record<string, unknown>>
  readonly bindings?: Readonly<Record<string, Binding>>
  readonly conditions?: Readonly<Record<string, Condition>>
  readonly animation?: { readonly enter?: Motion; readonly exit?: Motion; readonly change?: Motion }
}

export interface Scene {
  readonly name: string
  readonly order: string
  readonly role?: SceneRole
  readonly transition?: Motion
  /** Elements by id, which has 8 to 16 letters and digits. */
  readonly elements: Readonly<Record<string, SceneElement>>
}

export interface SceneDocument {
  readonly schemaVersion: 1
  readonly canvas: { readonly width: number; readonly height: number; readonly background: 'transparent' | Color }
  readonly variables?: Readonly<Record<string, string | number | boolean>>
  readonly fonts?: Readonly<
    Record<
      string,
      {
        readonly family: string
        /** GUID of an uploaded font. */
        readonly media: string
        readonly weight?: 400 | 500 | 600 | 700 | 800 | 900
        readonly italic?: boolean
      }
    >
  >
  /** Scenes by id. */
  readonly scenes: Readonly<Record<string, Scene>>
}
