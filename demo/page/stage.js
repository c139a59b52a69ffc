// The room the bodies move in: floor, grid, light with shadow, and a camera that orbits, pans, zooms and follows.
var Shosa = Shosa || {};

(function () {
  const kThemes = {
    light: { sky: '#e6ebf0', floor: '#d6dce3', line: '#8493a3', light: 0.74, ambient: 0.50, block: '#c3cbd4' },
    dark: { sky: '#171b21', floor: '#2a3038', line: '#6b7787', light: 0.72, ambient: 0.36, block: '#48525e' },
  };
  const linear = (hex) => new THREE.Color(hex).convertSRGBToLinear();

  Shosa.Stage = class {
    constructor(canvas) {
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
      this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
      this.renderer.gammaOutput = true;
      this.renderer.shadowMap.enabled = true;
      this.renderer.shadowMap.type = THREE.PCFSoftShadowMap;
      this.scene = new THREE.Scene();
      this.camera = new THREE.PerspectiveCamera(32, 16 / 9, 0.05, 200);
      this.orbit = { azimuth: 0.7, elevation: 0.22, distance: 4.5, target: new THREE.Vector3(0, 0.9, 0) };
      this.bodies = new THREE.Group();
      this.blocks = new THREE.Group();
      this.scene.add(this.bodies, this.blocks);
      this.addLight();
      this.addFloor();
      this.setTheme('light');
    }

    addLight() {
      this.ambient = new THREE.HemisphereLight(0xffffff, 0x8a8f98, 0.6);
      this.sun = new THREE.DirectionalLight(0xffffff, 0.8);
      this.sun.castShadow = true;
      this.sun.shadow.mapSize.set(1536, 1536);
      this.sun.shadow.radius = 3;
      this.sun.shadow.bias = -0.0006;
      this.scene.add(this.ambient, this.sun, this.sun.target);
    }

    addFloor() {
      this.floor = new THREE.Mesh(new THREE.CircleBufferGeometry(60, 48), new THREE.MeshLambertMaterial());
      this.floor.rotation.x = -Math.PI / 2;
      this.floor.position.y = -0.002;
      this.floor.receiveShadow = true;
      const lines = (count, step) => {
        const points = [], half = count * step / 2;
        for (let i = 0; i <= count; ++i) {
          const a = i * step - half;
          points.push(-half, 0, a, half, 0, a, a, 0, -half, a, 0, half);
        }
        const shape = new THREE.BufferGeometry();
        shape.setAttribute('position', new THREE.Float32BufferAttribute(points, 3));
        return new THREE.LineSegments(shape, new THREE.LineBasicMaterial({ transparent: true, depthWrite: false }));
      };
      this.grid = new THREE.Group();
      this.coarse = lines(40, 1);
      this.fine = lines(80, 0.25);
      this.grid.add(this.fine, this.coarse);
      this.scene.add(this.floor, this.grid);
    }

    setTheme(name) {
      const theme = kThemes[name];
      this.theme = theme;
      // The renderer clears with the colour as it stands and mixes fog in last; everything else it converts.
      this.scene.background = new THREE.Color(theme.sky);
      this.scene.fog = new THREE.Fog(theme.sky, 9, 26);
      this.floor.material.color.copy(linear(theme.floor));
      for (const lines of [this.coarse, this.fine]) lines.material.color.copy(linear(theme.line));
      this.coarse.material.opacity = 0.75;
      this.fine.material.opacity = 0.22;
      this.ambient.intensity = theme.ambient;
      this.sun.intensity = theme.light;
      this.blocks.children.forEach((block) => block.material.color.copy(linear(theme.block)));
    }

    setGround(height_m) {
      this.ground = height_m;
      this.floor.position.y = height_m - 0.002;
      this.grid.position.y = height_m;
    }

    /// What the feet stand on above the floor: a block under each raised stance.
    setBlocks(list) {
      for (const block of this.blocks.children.slice()) {
        this.blocks.remove(block);
        block.geometry.dispose();
      }
      const material = new THREE.MeshLambertMaterial({ color: linear(this.theme.block) });
      for (const { at, height, heading } of list) {
        const mesh = new THREE.Mesh(new THREE.BoxBufferGeometry(0.30, height, 0.34), material);
        mesh.position.set(at.x, this.ground + height / 2 - 0.001, at.z);
        mesh.rotation.y = heading;
        mesh.castShadow = mesh.receiveShadow = true;
        this.blocks.add(mesh);
      }
    }

    /// Drawing buffer in CSS pixels.
    resize(width, height) {
      if (width < 2 || height < 2) return;
      this.renderer.setSize(width, height, false);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
    }

    render() {
      const o = this.orbit, c = Math.cos(o.elevation);
      this.camera.position.set(o.target.x + o.distance * c * Math.sin(o.azimuth), o.target.y + o.distance * Math.sin(o.elevation),
        o.target.z + o.distance * c * Math.cos(o.azimuth));
      this.camera.position.y = Math.max(this.camera.position.y, this.ground + 0.05);
      this.camera.lookAt(o.target);
      this.scene.fog.near = 2.2 * o.distance;
      this.scene.fog.far = 5.5 * o.distance + 6;
      // The floor and its lines go along in whole metres, so that they have no end and do not slide.
      const x = Math.round(o.target.x), z = Math.round(o.target.z);
      this.grid.position.x = this.floor.position.x = x;
      this.grid.position.z = this.floor.position.z = z;
      const reach = Math.max(2.2, 0.62 * o.distance), shadow = this.sun.shadow.camera;
      this.sun.position.set(o.target.x + 2.2, this.ground + 6, o.target.z + 2.6);
      this.sun.target.position.set(o.target.x, this.ground, o.target.z);
      if (shadow.right !== reach) {
        Object.assign(shadow, { left: -reach, right: reach, top: reach, bottom: -reach, near: 0.5, far: 20 });
        shadow.updateProjectionMatrix();
      }
      this.renderer.render(this.scene, this.camera);
    }

    turn(dx, dy) {
      this.orbit.azimuth -= dx * 0.008;
      this.orbit.elevation = Math.min(Math.max(this.orbit.elevation + dy * 0.006, -0.15), 1.5);
    }

    zoom(factor) {
      this.orbit.distance = Math.min(Math.max(this.orbit.distance * factor, 0.8), 40);
    }

    /// Moves the point looked at by pixels of the picture.
    pan(dx, dy, height) {
      const o = this.orbit, size = 2 * o.distance * Math.tan(THREE.Math.degToRad(this.camera.fov / 2)) / height;
      const right = new THREE.Vector3(Math.cos(o.azimuth), 0, -Math.sin(o.azimuth));
      const shift = right.multiplyScalar(-dx * size).add(new THREE.Vector3(0, dy * size * Math.cos(o.elevation), 0));
      o.target.add(shift);
      return shift;
    }
  };
})();
