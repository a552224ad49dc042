/** Every notice of this session, for scenarios to read. */
export const notices: string[] = [];
const openNotices = new Set<Notice>();

export function forgetNotices(): void {
  for (const notice of [...openNotices]) notice.hide();
  notices.length = 0;
}

export class Notice {
  containerEl: HTMLElement;
  messageEl: HTMLElement;
  noticeEl: HTMLElement;

  constructor(message: string | DocumentFragment, duration?: number) {
    const doc = activeDocument;
    const found = doc.querySelector<HTMLElement>("body > .notice-container");
    const list = found ?? doc.body.createDiv("notice-container");
    this.containerEl = list.createDiv({ cls: "notice", attr: { role: "status" } });
    this.noticeEl = this.containerEl;
    this.messageEl = this.containerEl.createDiv("notice-message");
    this.setMessage(message);
    notices.push(this.messageEl.getText());
    openNotices.add(this);
    this.containerEl.addEventListener("click", () => this.hide());
    if (duration !== 0) setTimeout(() => this.hide(), duration ?? 5000);
  }

  setMessage(message: string | DocumentFragment): this {
    this.messageEl.setText(message);
    return this;
  }

  hide(): void {
    openNotices.delete(this);
    const list = this.containerEl.parentElement;
    this.containerEl.remove();
    if (list?.childElementCount === 0) list.remove();
  }
}
