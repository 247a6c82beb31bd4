import type { BrowserContext, Page } from 'playwright-core'
import sharp from 'sharp'
import type * as Y from 'yjs'
import type { SceneDocument } from '../../src/engine/scenes/document.ts'
import type { Packet } from '../../test/realtime/copies.ts'
import { elementsIn, SceneEditor } from '../../test/scene-editing.ts'

/**
 * Numbered edits, recognisable by a colour and a text, and functions that tell which of them the page has shown.
 * (overlays: What proves it, 5)
 */

/** The colour of an edit: different for sixteen million edits, and unlike that of the next one. */
export function colorOf(edit: number): `#${string}` {
  return `#${((edit * 0x9e3779) & 0xffffff).toString(16).padStart(6, '0')}`
}

const canvas = { width: 1280, height: 720 }

/** The document before the first edit. */
export const racingDocument: SceneDocument = {
  schemaVersion: 1,
  canvas: { ...canvas, background: 'transparent' },
  scenes: {
    scene001: {
      name: 'One',
      order: 'V',
      transition: { kind: 'none' },
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

/** An editor that only watches, and remembers the document at each revision. */
export class Witness extends SceneEditor {
  readonly at = new Map<number, SceneDocument>()
  revision = 0

  override take(packet: Packet): void {
    super.take(packet)
    if (packet.topic !== this.topic || !['snapshot', 'update'].includes(packet.type)) return
    this.revision = packet.type === 'snapshot' ? packet.body.revision : packet.revision
    // When several edits were saved together, the last one completes the revision.
    this.at.set(this.revision, this.document)
  }
}

/** Records the texts and grounds of the page, visible or not, after every change and before the next frame. */
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
  /** The colour of the ground in each picture so far. */
  colors(): Promise<string[]>
}

/** Records the pictures that the browser draws from now on; all of them, unless it is too busy. */
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

/** The colour of the ground in a corner. */
export async function cornerOf(picture: Buffer): Promise<string> {
  const corner = sharp(picture).removeAlpha().extract({ left: 20, top: 20, width: 1, height: 1 })
  return `#${(await corner.raw().toBuffer()).toString('hex')}`
}
