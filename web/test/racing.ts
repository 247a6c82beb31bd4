import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import type * as Y from 'yjs'
import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { Packet } from '../../test/realtime/copies.ts'
import { elementsIn, SceneEditor } from '../../test/scene-editing.ts'

/** Edits that are told from one another by a colour and a text, and what tells which of them somebody has seen. (overlays: What proves it, 5) */

/** A colour of its own for each of sixteen million, none of them like the next. */
export function colorOf(edit: number): `#${string}` {
  return `#${((edit * 0x9e3779) & 0xffffff).toString(16).padStart(6, '0')}`
}

const canvas = { width: 1280, height: 720 }

/** As of the edit 0. */
export const racingDocument: SceneDocument = {
  schemaVersion: 1,
  canvas: { ...canvas, background: 'transparent' },
  scenes: {
    scene001: {
      ...{ name: 'One', order: 'V', transition: { kind: 'none' } },
      elements: {
        ground01: { type: 'shape', name: 'Ground', order: 'V', x: 0, y: 0, ...canvas, props: { fill: colorOf(0) } },
        number01: {
          type: 'text',
          name: 'Number',
          order: 'W',
          x: 400,
          y: 300,
          width: 400,
          height: 100,
          props: { text: '0' },
        },
      },
    },
  },
}

export function writeEdit(edit: number): (root: Y.Map<unknown>) => void {
  return (root) => {
    const propsOf = (id: string) => elementsIn(root).get(id)?.get('props') as Y.Map<unknown>
    propsOf('ground01').set('fill', colorOf(edit))
    propsOf('number01').set('text', String(edit))
  }
}

export function shownIn({ scenes }: SceneDocument): { readonly text: string; readonly color: string } {
  const { ground01, number01 } = scenes.scene001?.elements ?? {}
  return { text: String(number01?.props?.text), color: String(ground01?.props?.fill) }
}

/** Who looks on while others edit, and remembers what the document was at each revision. */
export class Witness extends SceneEditor {
  readonly at = new Map<number, SceneDocument>()
  revision = 0

  override take(packet: Packet): void {
    super.take(packet)
    if (packet.topic !== this.topic || !['snapshot', 'update'].includes(packet.type)) return
    this.revision = packet.type === 'snapshot' ? packet.body.revision : packet.revision
    // Of several edits that were stored at once, the last one makes the revision whole.
    this.at.set(this.revision, this.document)
  }
}

/** Whatever the page is made of from now on, seen or not, as texts with their grounds: after every change, before the next frame. */
export async function recordColors(page: Page): Promise<void> {
  await page.addInitScript({
    content: `
      globalThis.colorsSeen = new Set()
      const hex = (color) => '#' + color.match(/\\d+/g).slice(0, 3).map((level) => Number(level).toString(16).padStart(2, '0')).join('')
      new MutationObserver(() => {
        for (const scene of document.querySelectorAll('.scene')) {
          const [line, form] = [scene.querySelector('.line'), scene.querySelector('.form')]
          if (line && form) globalThis.colorsSeen.add(line.textContent + ' ' + hex(getComputedStyle(form).backgroundColor))
        }
      }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
    `,
  })
}

export interface Pictures {
  /** Of the ground, in each of the pictures so far. */
  colors(): Promise<string[]>
}

/** The pictures that the browser makes of the page from now on; all of them, as long as it is not too busy to hand them out. */
export async function recordPictures(context: BrowserContext, page: Page): Promise<Pictures> {
  const devtools = await context.newCDPSession(page)
  const colors: Promise<string>[] = []
  devtools.on('Page.screencastFrame', ({ data, sessionId }) => {
    colors.push(cornerOf(Buffer.from(data, 'base64')))
    // The browser may have been closed.
    devtools.send('Page.screencastFrameAck', { sessionId }).catch(() => {})
  })
  await devtools.send('Page.startScreencast', { format: 'png', maxWidth: 160, maxHeight: 90, everyNthFrame: 1 })
  return { colors: () => Promise.all(colors) }
}

/** The colour of the ground there. */
export async function cornerOf(picture: Buffer): Promise<string> {
  const corner = sharp(picture).removeAlpha().extract({ left: 20, top: 20, width: 1, height: 1 })
  return `#${(await corner.raw().toBuffer()).toString('hex')}`
}
