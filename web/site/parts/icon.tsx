/** Drawn signs: 12 px for states, 16 px for things, in the colour of their words. */

const line = {
  fill: 'none',
  stroke: 'currentColor',
  strokeWidth: 1.5,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

const states = {
  running: <circle cx="6" cy="6" r="4.5" fill="currentColor" />,
  ready: <circle cx="6" cy="6" r="4" fill="none" stroke="currentColor" strokeWidth="1.75" />,
  done: <path d="M2 6.5l2.75 2.75L10 3" {...line} strokeWidth={1.75} />,
  waiting: <path d="M2 6h0M6 6h0M10 6h0" {...line} strokeWidth={2.2} />,
  problem: <path d="M6 1l5.5 10H.5z" fill="currentColor" />,
  paused: <path d="M4 2.5v7m4-7v7" {...line} strokeWidth={2} />,
  off: <path d="M2.5 2.5l7 7m0-7l-7 7" {...line} strokeWidth={1.75} />,
} as const

const things = {
  search: (
    <g {...line}>
      <circle cx="7" cy="7" r="4.5" />
      <path d="M10.5 10.5L14 14" />
    </g>
  ),
  bell: <path d="M3.5 11.5h9c-1-1-1.2-2-1.2-4.2a3.3 3.3 0 0 0-6.6 0c0 2.2-.2 3.2-1.2 4.2zM6.7 13.8h2.6" {...line} />,
  menu: <path d="M2 4h12M2 8h12M2 12h12" {...line} />,
  print: <path d="M4.5 6V2.5h7V6M4.5 11.5h-2v-5h11v5h-2M4.5 9.5h7v4h-7z" {...line} />,
  copy: <path d="M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z" {...line} />,
  done: <path d="M3 8.5l3.5 3.5L13 4.5" {...line} />,
  download: <path d="M8 2.5v7.5M4.5 7L8 10.5 11.5 7M2.5 13.5h11" {...line} />,
  code: <path d="M5.5 4.5L2 8l3.5 3.5m5-7L14 8l-3.5 3.5" {...line} />,
  close: <path d="M4 4l8 8m0-8l-8 8" {...line} />,
  plus: <path d="M8 3v10M3 8h10" {...line} />,
  minus: <path d="M3 8h10" {...line} />,
  up: <path d="M3.5 10L8 5.5l4.5 4.5" {...line} />,
  down: <path d="M3.5 6L8 10.5 12.5 6" {...line} />,
  back: <path d="M9.5 3.5L5 8l4.5 4.5" {...line} />,
  share: <path d="M8 10V2.5M5 5l3-3 3 3M4 7.5H3v6h10v-6h-1" {...line} />,
  eye: (
    <g {...line}>
      <path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z" />
      <circle cx="8" cy="8" r="2" />
    </g>
  ),
  swap: <path d="M2.5 5.5h11M11 3l2.5 2.5L11 8M13.5 10.5h-11M5 8l-2.5 2.5L5 13" {...line} />,
  theme: (
    <g {...line}>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 2.5a5.5 5.5 0 0 1 0 11z" fill="currentColor" />
    </g>
  ),
} as const

interface StateProps {
  readonly name: keyof typeof states
  /** Drawn a pixel lower. As a relative position it would be a layer of its own, which long tables pay for in each line. */
  readonly isLow?: boolean
}

export function StateIcon({ name, isLow = false }: StateProps) {
  return (
    <svg width="12" height="12" viewBox={isLow ? '0 -1 12 12' : '0 0 12 12'} aria-hidden="true">
      {states[name]}
    </svg>
  )
}

export function Icon({ name }: { readonly name: keyof typeof things }) {
  return (
    <svg width="16" height="16" viewBox="0 0 16 16" aria-hidden="true">
      {things[name]}
    </svg>
  )
}

/** The sign of the service. */
export function Brand() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="4" fill="currentColor" />
      <path d="M4 4.5h12L10 11zM4 14h12v1.75H4z" fill="var(--surface)" />
    </svg>
  )
}
