import type { ElementType } from '../../../src/engine/scenes/document.ts'
import type { Node } from '../model/nodes.ts'
import { StreamPainter } from '../play/stream.ts'
import { GroupPainter, ListPainter } from './containers.ts'
import type { Painter } from './context.ts'
import { ImagePainter, VideoPainter } from './image.ts'
import { BarPainter, PipsPainter, TimerPainter } from './meters.ts'
import { ShapePainter } from './shape.ts'
import { TextPainter } from './text.ts'
import { BracketPainter } from './tree/bracket.ts'
import { MapCardPainter } from './tree/map-card.ts'
import { PickBansPainter } from './tree/pick-bans.ts'
import { CastersPainter, SchedulePainter, StandingsPainter } from './tree/tables.ts'

const painters: Readonly<Record<ElementType, (children: readonly Node[]) => Painter>> = {
  text: () => new TextPainter(),
  image: () => new ImagePainter(),
  video: () => new VideoPainter(),
  shape: () => new ShapePainter(),
  group: (children) => new GroupPainter(children),
  list: (children) => new ListPainter(children),
  bar: () => new BarPainter(),
  pips: () => new PipsPainter(),
  timer: () => new TimerPainter(),
  mapCard: () => new MapCardPainter(),
  pickBans: () => new PickBansPainter(),
  bracket: () => new BracketPainter(),
  standings: () => new StandingsPainter(),
  schedule: () => new SchedulePainter(),
  casters: () => new CastersPainter(),
  stream: () => new StreamPainter(),
}

/** An unknown type draws nothing: the document may be newer than the page. */
export function painterOf(type: ElementType, children: readonly Node[]): Painter {
  return Object.hasOwn(painters, type) ? painters[type](children) : new GroupPainter([])
}
