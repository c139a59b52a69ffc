// Buttons, scrub bar, contact lanes, pointer and keys over a player.
var Shosa = Shosa || {};

(function () {
  const kIcons = {
    play: 'M7 4.5v15l12-7.5z', pause: 'M6 4.5h4v15H6zM14 4.5h4v15h-4z',
    loop: 'M6 8h9V5l5 4.5-5 4.5v-3H8v4H5V9a1 1 0 0 1 1-1z',
    follow: 'M12 3a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM8 10h8l1 6h-2l-1 5h-4l-1-5H7z',
    grid: 'M3 3h18v18H3zM3 9h18M3 15h18M9 3v18M15 3v18',
    home: 'M4 11l8-7 8 7v9h-5v-6H9v6H4z', full: 'M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5',
    help: 'M9 9a3 3 0 1 1 4.5 2.6c-1 .6-1.5 1.1-1.5 2.4M12 17.5v.5',
  };
  const kStroked = new Set(['grid', 'full', 'help']);

  function make(tag, attributes, children) {
    const element = document.createElement(tag);
    for (const name of Object.keys(attributes || {})) element.setAttribute(name, attributes[name]);
    for (const child of children || []) element.append(child);
    return element;
  }
  Shosa.make = make;

  function icon(name) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 24 24');
    svg.setAttribute('aria-hidden', 'true');
    const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
    path.setAttribute('d', kIcons[name]);
    if (kStroked.has(name)) svg.classList.add('stroked');
    svg.append(path);
    return svg;
  }

  Shosa.Controls = class {
    constructor(player, stageElement) {
      this.player = player;
      this.element = stageElement;
      this.build();
      this.pointer();
      document.addEventListener('keydown', (event) => this.key(event));
      player.onChange(() => this.show());
    }

    button(name, title, action) {
      const button = make('button', { type: 'button', class: 'icon', title, 'aria-label': title }, [icon(name)]);
      button.addEventListener('click', action);
      return button;
    }

    build() {
      const player = this.player;
      this.play = this.button('play', 'Play or pause (Space)', () => player.setPlaying(!player.playing));
      this.loop = this.button('loop', 'Loop (L)', () => this.toggle('loop'));
      this.follow = this.button('follow', 'Camera follows (F)', () => player.setFollow(!player.follow));
      this.grid = this.button('grid', 'Floor grid (G)', () => this.toggleGrid());
      this.home = this.button('home', 'Camera to its first place (0)', () => player.frameCamera());
      this.full = this.button('full', 'Full screen (Shift+F)', () => this.fullScreen());
      this.help = this.button('help', 'Keys (?)', () => this.toggleHelp());
      this.scrub = make('input', { type: 'range', min: 0, max: 1, step: 'any', value: 0, 'aria-label': 'Time' });
      this.scrub.addEventListener('input', () => {
        player.playing = false;
        player.seek(parseFloat(this.scrub.value));
      });
      this.lanes = make('canvas', { class: 'lanes', title: 'Green: the foot stands' });
      this.time = make('output', { class: 'time' });
      this.speed = make('select', { title: 'Speed ([ and ])', 'aria-label': 'Speed' },
        Shosa.speeds.map((speed) => make('option', { value: speed }, [speed + '×'])));
      this.speed.value = '1';
      this.speed.addEventListener('change', () => {
        player.speed = parseFloat(this.speed.value);
        player.changed();
      });
      this.views = make('div', { class: 'views', role: 'group', 'aria-label': 'View' },
        [['single', 'One'], ['side', 'Side by side'], ['overlay', 'Overlay']].map(([view, text]) => {
          const button = make('button', { type: 'button', 'data-view': view }, [text]);
          button.addEventListener('click', () => player.setView(view));
          return button;
        }));
      this.legend = make('div', { class: 'legend' });
      this.sheet = make('div', { class: 'sheet', hidden: '' }, [make('table', {}, [
        ['Space', 'play, pause'], ['← →', 'one frame'], ['Shift ← →', 'first, last frame'], ['↑ ↓', 'previous, next clip'],
        ['[ ]', 'slower, faster'], ['L', 'loop'], ['F', 'camera follows'], ['G', 'grid'], ['V', 'one, side by side, overlay'], ['0', 'camera to its first place'],
        ['H', 'hide the controls'], ['Shift F', 'full screen'], ['drag', 'orbit'], ['right or Shift drag', 'pan'], ['wheel, pinch', 'zoom (click first)'],
      ].map(([key, what]) => make('tr', {}, [make('th', {}, [key]), make('td', {}, [what])])))]);
      const bar = make('div', { class: 'bar' }, [
        make('div', { class: 'timeline' }, [this.scrub, this.lanes]),
        make('div', { class: 'row' }, [this.play, this.time, this.speed, make('span', { class: 'space' }), this.views, this.loop, this.follow, this.grid, this.home, this.full, this.help]),
      ]);
      this.element.append(this.legend, this.sheet, bar);
    }

    toggle(name) {
      this.player[name] = !this.player[name];
      this.player.changed();
    }
    toggleGrid() {
      this.player.stage.grid.visible = !this.player.stage.grid.visible;
      this.player.changed();
    }
    toggleHelp() {
      this.sheet.hidden = !this.sheet.hidden;
    }
    fullScreen() {
      if (document.fullscreenElement) document.exitFullscreen();
      else if (this.element.requestFullscreen) this.element.requestFullscreen();
    }

    show() {
      const player = this.player;
      if (!player.figure) return;
      if (this.shownPlaying !== player.playing) {
        this.shownPlaying = player.playing;
        this.play.replaceChildren(icon(player.playing ? 'pause' : 'play'));
      }
      this.scrub.max = player.duration_s;
      this.scrub.value = player.time_s;
      this.time.textContent = player.time_s.toFixed(2) + ' / ' + player.duration_s.toFixed(2) + ' s';
      this.loop.setAttribute('aria-pressed', player.loop);
      this.follow.setAttribute('aria-pressed', player.follow);
      this.grid.setAttribute('aria-pressed', player.stage.grid.visible);
      this.speed.value = String(player.speed);
      this.views.hidden = player.figure.clips.length < 2;
      for (const button of this.views.children) button.setAttribute('aria-pressed', button.dataset.view === player.view);
      const key = player.figure.id + player.view + player.chosen + this.lanes.clientWidth;
      if (key !== this.shownKey) {
        this.shownKey = key;
        this.showLegend();
        this.drawLanes();
      }
    }

    showLegend() {
      const player = this.player;
      this.legend.replaceChildren(...player.figure.clips.map((index, place) => {
        const meta = player.library.data.clips[index], short = meta.caption && meta.caption.length <= 44;
        const button = make('button', { type: 'button', title: short ? meta.name : meta.caption }, [short ? meta.caption.replace(/\.$/, '') : meta.name]);
        const shown = player.actors.some((actor) => actor.place === place);
        button.style.setProperty('--swatch', Shosa.lookColor(place));
        button.setAttribute('aria-pressed', player.view === 'single' ? place === player.chosen : shown);
        button.classList.toggle('lead', place === player.chosen);
        button.addEventListener('click', () => player.choose(place));
        return button;
      }));
      const lead = this.legend.querySelector('.lead');
      if (lead) this.legend.scrollLeft = lead.offsetLeft - 20;
    }

    /// A lane for each foot of the leading clip, filled while it stands.
    drawLanes() {
      const clip = this.player.lead.clip, canvas = this.lanes, ratio = window.devicePixelRatio || 1;
      const feet = clip.meta.feet, width = canvas.clientWidth, lane = 5;
      canvas.hidden = !feet.length;
      canvas.style.height = feet.length * lane + 'px';
      canvas.width = Math.max(1, width * ratio);
      canvas.height = Math.max(1, feet.length * lane * ratio);
      const context = canvas.getContext('2d'), all_s = this.player.duration_s || 1;
      context.scale(ratio, ratio);
      context.fillStyle = '#2eb872';
      feet.forEach((foot, n) => foot.stances.forEach(([begin, end]) =>
        context.fillRect(width * begin / all_s, n * lane + 1, Math.max(1, width * (end - begin) / all_s), lane - 2)));
    }

    pointer() {
      const canvas = this.player.canvas, stage = this.player.stage, held = new Map();
      let apart = 0;
      const spread = () => {
        const [a, b] = [...held.values()];
        return Math.hypot(a.x - b.x, a.y - b.y);
      };
      canvas.addEventListener('pointerdown', (event) => {
        canvas.focus({ preventScroll: true });
        canvas.setPointerCapture(event.pointerId);
        held.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (held.size === 2) apart = spread();
      });
      canvas.addEventListener('pointermove', (event) => {
        const past = held.get(event.pointerId);
        if (!past) return;
        const dx = event.clientX - past.x, dy = event.clientY - past.y;
        held.set(event.pointerId, { x: event.clientX, y: event.clientY });
        if (held.size === 2) {
          const now = spread();
          stage.zoom(apart / Math.max(now, 1));
          apart = now;
        } else if (event.buttons & 6 || event.shiftKey) {
          this.player.pan.add(stage.pan(dx, dy, canvas.clientHeight));
        } else {
          stage.turn(dx, dy);
        }
        this.player.changed();
      });
      const release = (event) => held.delete(event.pointerId);
      canvas.addEventListener('pointerup', release);
      canvas.addEventListener('pointercancel', release);
      canvas.addEventListener('contextmenu', (event) => event.preventDefault());
      // Only a player that was clicked takes the wheel, so that the page can be scrolled past it.
      canvas.addEventListener('wheel', (event) => {
        if (document.activeElement !== canvas && !event.ctrlKey) return;
        event.preventDefault();
        stage.zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.0012)));
        this.player.changed();
      }, { passive: false });
    }

    key(event) {
      const player = this.player, on = event.target;
      if (!player.figure || event.ctrlKey || event.altKey || event.metaKey) return;
      if (on.closest && on.closest('input:not([type=range]), select, textarea')) return;
      if (event.key === ' ' && on.closest && on.closest('button, a, summary')) return;
      if (!player.visible()) return;
      const speed = (by) => {
        const place = Shosa.speeds.indexOf(player.speed) + by;
        player.speed = Shosa.speeds[Math.min(Math.max(place, 0), Shosa.speeds.length - 1)];
        player.changed();
      };
      const within = this.element.contains(document.activeElement), count = player.figure.clips.length;
      const keys = {
        ' ': () => player.setPlaying(!player.playing),
        ArrowLeft: () => event.shiftKey ? player.seek(0) : player.step(-1),
        ArrowRight: () => event.shiftKey ? player.seek(player.duration_s) : player.step(1),
        '[': () => speed(-1), ']': () => speed(1), l: () => this.toggle('loop'), f: () => player.setFollow(!player.follow),
        F: () => this.fullScreen(), g: () => this.toggleGrid(), 0: () => player.frameCamera(), '?': () => this.toggleHelp(),
        h: () => this.element.classList.toggle('bare'),
        v: () => player.setView({ single: 'side', side: 'overlay', overlay: 'single' }[player.view]),
        Escape: () => { this.sheet.hidden = true; },
      };
      if (within) {
        keys.ArrowUp = () => player.choose((player.chosen + count - 1) % count);
        keys.ArrowDown = () => player.choose((player.chosen + 1) % count);
      }
      const action = keys[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    }
  };
})();
