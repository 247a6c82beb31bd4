import type { ElementType } from '../../../../src/engine/scenes/document.ts'

/** Signs of the editor, as `parts/icon.tsx` draws its own. */

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const shape = <path d="M3 4h10v8H3z" {...line} />
const table = <path d="M2.5 3.500h11v9h-11zM2.5 6.500h11M2.5 9.500h11" {...line} />
const picture = (
  <g {...line}>
    <path d="M2.5 3.500h11v9h-11z" />
    <path d="M3 11.500l3.500-4 2.500 3 1.500-1.500 2.500 2.500" />
  </g>
)

const types: Readonly<Record<ElementType, React.ReactNode>> = {
  text: <path d="M3 3.500h10M8 3.500v9M6 12.500h4" {...line} />,
  image: picture,
  video: <path d="M2.5 3.500h11v9h-11zM6.500 6v4l3.500-2z" {...line} />,
  shape,
  group: <path d="M2 4.500h4.500l1 1.500H14v7H2z" {...line} />,
  list: <path d="M2.500 4h1M2.500 8h1M2.500 12h1M6 4h7.500M6 8h7.500M6 12h7.500" {...line} />,
  bar: <path d="M2 6h12v4H2zM2 6h7v4H2z" {...line} />,
  pips: <path d="M1.500 6H5v4H1.500zM6.250 6h3.500v4h-3.500zM11 6h3.500v4H11z" {...line} />,
  timer: (
    <g {...line}>
      <circle cx="8" cy="8" r="5.500" />
      <path d="M8 5v3l2 1.500" />
    </g>
  ),
  mapCard: picture,
  pickBans: <path d="M3 5l2 2 3-3.500M3 11l2 2 3-3.500M10.500 5H14M10.500 11H14" {...line} />,
  bracket: <path d="M2 3.500h4v4H2M2 12.500h4v-5M6 7.500h4v1h4" {...line} />,
  standings: table,
  schedule: table,
  casters: (
    <g {...line}>
      <circle cx="8" cy="5.500" r="2.700" />
      <path d="M2.800 13.500c.5-2.800 2.500-4 5.200-4s4.700 1.200 5.200 4" />
    </g>
  ),
  stream: <path d="M2 4h8.500v8H2zM10.500 7L14 5v6l-3.500-2" {...line} />,
}

const signs = {
  link: (
    <path
      d="M6.500 9.500l3-3M7.500 4.500l1.200-1.200a2.800 2.800 0 0 1 4 4L11.500 8.500M8.500 11.500l-1.200 1.200a2.800 2.800 0 0 1-4-4L4.500 7.500"
      {...line}
    />
  ),
  lock: <path d="M4.500 7V5a3.500 3.500 0 0 1 7 0v2M3 7h10v6.500H3z" {...line} />,
  shown: (
    <g {...line}>
      <path d="M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8z" />
      <circle cx="8" cy="8" r="2" />
    </g>
  ),
  hidden: (
    <g {...line}>
      <path d="M1.500 8S4 3.500 8 3.500 14.500 8 14.500 8 12 12.500 8 12.500 1.500 8 1.500 8z" />
      <path d="M3 13.500L13 2.500" />
    </g>
  ),
  undo: <path d="M5.500 3L2.500 6l3 3M2.500 6h7a4 4 0 0 1 0 8H6" {...line} />,
  redo: <path d="M10.500 3l3 3-3 3M13.500 6h-7a4 4 0 0 0 0 8H10" {...line} />,
  left: <path d="M2.500 2v12M5 4.500h8V7H5zM5 9h5v2.500H5z" {...line} />,
  center: <path d="M8 2v12M3.500 4.500h9V7h-9zM5.500 9h5v2.500h-5z" {...line} />,
  right: <path d="M13.500 2v12M3 4.500h8V7H3zM6 9h5v2.500H6z" {...line} />,
  top: <path d="M2 2.500h12M4.500 5v8H7V5zM9 5v5h2.500V5z" {...line} />,
  middle: <path d="M2 8h12M4.500 3.500v9H7v-9zM9 5.500v5h2.500v-5z" {...line} />,
  bottom: <path d="M2 13.500h12M4.500 3v8H7V3zM9 6v5h2.500V6z" {...line} />,
} as const

function Sign({ children }: { readonly children: React.ReactNode }) {
  return (
    <svg width="14" height="14" viewBox="0 0 16 16" aria-hidden="true">
      {children}
    </svg>
  )
}

export const ElementIcon = ({ type }: { readonly type: ElementType }) => <Sign>{types[type]}</Sign>
export const EditorIcon = ({ name }: { readonly name: keyof typeof signs }) => <Sign>{signs[name]}</Sign>
