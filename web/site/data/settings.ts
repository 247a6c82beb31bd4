/** Whether the page is shown inside another website, without bars and without a session. (W6) */
export const isEmbed: boolean = location.pathname.startsWith('/embed/')

/** The address of the socket, which the service writes into the page. */
export const socketUrl: string = document.body.dataset.socket ?? ''

/** The origin of media, which the service writes into the page. */
export const mediaUrl: string = document.body.dataset.media ?? location.origin
