// The page: one player that moves to the figure that is asked for, posters elsewhere, light and dark.
(function () {
  const library = new Shosa.Library(JSON.parse(document.getElementById('shosa-data').textContent));
  const slots = [...document.querySelectorAll('.slot[data-figure]')];
  const hooks = { ready: false, errors: [], data: library.data };
  window.shosa = hooks;
  window.addEventListener('error', (event) => hooks.errors.push(String(event.message)));

  for (const picture of document.querySelectorAll('.pictures img')) {
    picture.addEventListener('click', () => picture.parentElement.classList.toggle('big'));
  }

  function theme() {
    const chosen = document.documentElement.dataset.theme;
    return chosen || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light');
  }

  if (!slots.length) {
    hooks.ready = true;
    return;
  }

  const canvas = Shosa.make('canvas', { class: 'view', tabindex: 0, 'aria-label': 'Motion player; press ? for its keys' });
  const box = Shosa.make('div', { class: 'player' }, [canvas]);
  let player;
  try {
    player = new Shosa.Player(library, canvas);
  } catch (error) {
    for (const slot of slots) slot.textContent = 'This browser does not draw in 3-D (WebGL is off), so the clips cannot be played here.';
    hooks.ready = true;
    return;
  }
  new Shosa.Controls(player, box);

  const resize = () => {
    player.stage.resize(canvas.clientWidth, canvas.clientHeight);
    player.changed();
  };
  if (window.ResizeObserver) new ResizeObserver(resize).observe(canvas);
  window.addEventListener('resize', resize);

  // A poster for each figure that the player is not in, drawn when it comes near the window.
  const posters = new Map();
  function poster(slot) {
    const id = slot.dataset.figure;
    const count = library.figure(id).clips.length;
    const button = Shosa.make('button', { type: 'button', class: 'poster', 'aria-label': 'Play' },
      [Shosa.make('span', { class: 'go' }, ['▶ Play', count > 1 ? ' ' + count + ' clips' : ''])]);
    button.addEventListener('click', () => moveTo(slot, { play: true }));
    slot.replaceChildren(button);
    if (posters.has(id)) button.prepend(copy(posters.get(id)));
    else if (nearby) nearby.observe(slot);
  }
  function copy(picture) {
    const image = Shosa.make('canvas', { width: picture.width, height: picture.height });
    image.getContext('2d').drawImage(picture, 0, 0);
    return image;
  }
  const waiting = [];
  const nearby = window.IntersectionObserver && new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      nearby.unobserve(entry.target);
      waiting.push(entry.target);
      if (waiting.length === 1) setTimeout(drawNext, 60);
    }
  }, { rootMargin: '300px' });
  function drawNext() {
    const slot = waiting[0];
    const button = slot.querySelector('.poster');
    if (button && !button.querySelector('canvas')) {
      const picture = player.snapshot(slot.dataset.figure, 640, 360);
      posters.set(slot.dataset.figure, picture);
      button.prepend(picture);
    }
    waiting.shift();
    if (waiting.length) setTimeout(drawNext, 60);
  }

  let home = null;
  function moveTo(slot, options) {
    if (home !== slot) {
      const left = home;
      home = slot;
      slot.replaceChildren(box);
      if (left) poster(left);
      resize();
    }
    player.load(slot.dataset.figure, options);
    player.setPlaying(Boolean(options && options.play));
  }

  const retheme = () => {
    document.body.classList.toggle('dark', theme() === 'dark');
    player.stage.setTheme(theme());
    player.changed();
  };
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', retheme);
  document.getElementById('theme').addEventListener('click', () => {
    document.documentElement.dataset.theme = theme() === 'dark' ? 'light' : 'dark';
    posters.clear();
    retheme();
    for (const slot of slots) if (slot !== home) poster(slot);
  });
  retheme();

  for (const slot of slots) if (slot !== slots[0]) poster(slot);
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  moveTo(slots[0], { play: !still });

  // For programs: what stands where, and when.
  Object.defineProperties(hooks, {
    time: { get: () => player.time_s, enumerable: true },
    duration: { get: () => player.duration_s, enumerable: true },
    playing: { get: () => player.playing, enumerable: true },
    drawn: { get: () => player.drawn, enumerable: true },
    figure: { get: () => player.figure.id, enumerable: true },
  });
  hooks.play = () => player.setPlaying(true);
  hooks.pause = () => player.setPlaying(false);
  hooks.seek = (time_s) => player.seek(time_s);
  hooks.load = (id, chosen, view) => {
    const slot = slots.filter((s) => s.dataset.figure === id).pop();
    if (!slot) throw new Error('no figure ' + id);
    moveTo(slot, { chosen, view });
  };
  hooks.camera = (azimuth_rad, elevation_rad, distance_m) => {
    Object.assign(player.stage.orbit, { azimuth: azimuth_rad, elevation: elevation_rad, distance: distance_m });
    player.changed();
  };
  hooks.player = player;
  /// World position of a joint of the leading clip at the time shown, metres; null when there is no such joint.
  hooks.joint = (name) => {
    const at = player.lead.joint(name);
    return at && at.sub(player.lead.root.position).toArray();
  };
  hooks.ready = true;
})();
